// Message types that a PostgreSQL server sends after startup, and the permitted length of each.
// https://www.postgresql.org/docs/current/protocol-message-formats.html

export const PARSE_COMPLETE = 0x31;
export const BIND_COMPLETE = 0x32;
const CLOSE_COMPLETE = 0x33;
export const NOTIFICATION = 0x41;
export const COMMAND_COMPLETE = 0x43;
export const DATA_ROW = 0x44;
export const ERROR = 0x45;
export const COPY_IN = 0x47;
export const COPY_OUT = 0x48;
export const EMPTY_QUERY = 0x49;
export const NOTICE = 0x4e;
export const PARAMETER_STATUS = 0x53;
export const ROW_DESCRIPTION = 0x54;
export const COPY_BOTH = 0x57;
export const READY_FOR_QUERY = 0x5a;
export const COPY_DONE = 0x63;
export const COPY_DATA = 0x64;
const NO_DATA = 0x6e;
export const PORTAL_SUSPENDED = 0x73;
const PARAMETER_DESCRIPTION = 0x74;

/** Status in ReadyForQuery outside a transaction. */
export const IDLE = 0x49;

/** PostgreSQL cannot build a longer message: its allocation limit is 1 GiB. */
const ANY_LENGTH = 0x40000000;
const MAX_SHORT_LENGTH = 30_000;

const MAX_LENGTHS: Readonly<Record<number, number>> = {
  [PARSE_COMPLETE]: 4,
  [BIND_COMPLETE]: 4,
  [CLOSE_COMPLETE]: 4,
  [NOTIFICATION]: ANY_LENGTH,
  [COMMAND_COMPLETE]: MAX_SHORT_LENGTH,
  [DATA_ROW]: ANY_LENGTH,
  [ERROR]: ANY_LENGTH,
  [COPY_IN]: MAX_SHORT_LENGTH,
  [COPY_OUT]: MAX_SHORT_LENGTH,
  [EMPTY_QUERY]: 4,
  [NOTICE]: ANY_LENGTH,
  [PARAMETER_STATUS]: MAX_SHORT_LENGTH,
  [ROW_DESCRIPTION]: ANY_LENGTH,
  [COPY_BOTH]: MAX_SHORT_LENGTH,
  [READY_FOR_QUERY]: 5,
  [COPY_DONE]: 4,
  [COPY_DATA]: ANY_LENGTH,
  [NO_DATA]: 4,
  [PORTAL_SUSPENDED]: 4,
  [PARAMETER_DESCRIPTION]: ANY_LENGTH,
};

/** The permitted length fields by type; they include the field itself. No length is valid for unknown types. */
export const MAX_LENGTH: Int32Array = Int32Array.from({ length: 256 }, (_, type) => MAX_LENGTHS[type] ?? 0);
/** ReadyForQuery carries a status byte. */
export const MIN_LENGTH: Int32Array = Int32Array.from({ length: 256 }, (_, type) => (type === READY_FOR_QUERY ? 5 : 4));
