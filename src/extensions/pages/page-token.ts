// Page tokens: the place of a row in the order of a relation, as base64url text (`beyond.md` §1.6).
import { decodeBase64Url, encodeBase64Url } from '../../auth/base64url.ts';

/** The row that a token stands for. */
export interface TokenRow {
  /** The text of the value of each term of the order. */
  readonly values: readonly (string | null)[];
  /** Whether a page that begins or ends at the row contains it. */
  readonly isInclusive: boolean;
}

/** The relation, then each term of its order, as JSON values: what a token is bound to. */
export type TokenOrder = readonly (readonly unknown[])[];

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder('utf-8', { fatal: true });
/** In characters. */
const CHECKSUM_LENGTH = 8;
/** In characters. Longer tokens fit into no link that a client could follow. */
const MAX_TOKEN_LENGTH = 1_048_576;

export function encodePageToken(order: TokenOrder, { values, isInclusive }: TokenRow): string {
  const content = JSON.stringify([order, values, isInclusive]);
  return encodeBase64Url(ENCODER.encode(checksumOf(content) + content));
}

/** @returns undefined for any text but a token of this order */
export function decodePageToken(order: TokenOrder, token: string): TokenRow | undefined {
  const text = token.length > MAX_TOKEN_LENGTH ? undefined : decodeText(token);
  const content = text?.slice(CHECKSUM_LENGTH);
  if (text === undefined || content === undefined || !text.startsWith(checksumOf(content))) return undefined;
  const [known, values, isInclusive] = parseContent(content);
  if (JSON.stringify(known) !== JSON.stringify(order) || typeof isInclusive !== 'boolean') return undefined;
  return Array.isArray(values) &&
    values.every((value) => value === null || typeof value === 'string') &&
    values.length === order.length - 1
    ? { values, isInclusive }
    : undefined;
}

function decodeText(token: string): string | undefined {
  const bytes = decodeBase64Url(token);
  try {
    return bytes && DECODER.decode(bytes);
  } catch {
    return undefined;
  }
}

function parseContent(content: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(content);
    return Array.isArray(parsed) && parsed.length === 3 ? parsed : [];
  } catch {
    return [];
  }
}

/** FNV-1a, to detect changed tokens. Nothing depends on it being hard to forge: values are only ever parameters. */
function checksumOf(text: string): string {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  return (hash >>> 0).toString(16).padStart(CHECKSUM_LENGTH, '0');
}
