// What the response of a request says.
import { isJsonObject } from '../../../src/util/json-object.ts';

export interface Report {
  readonly status: number;
  /** An SQLSTATE, or a code of the server; empty if there is none. */
  readonly code: string;
  readonly message: string;
  /** The value of a JSON body. */
  readonly body: unknown;
}

export function readReport(status: number, body: unknown): Report {
  const fields = isJsonObject(body) ? body : {};
  const [code, message] = [fields['code'], fields['message']];
  return {
    status,
    code: status < 400 || typeof code !== 'string' ? '' : code,
    message: typeof message === 'string' ? message : '',
    body,
  };
}

const DENIED = '42501';
const BY_POLICY = /row-level security/u;

/** Whether a privilege is missing, or something raised the same error. */
export function isDenial({ code, message }: Report): boolean {
  return code === DENIED && !BY_POLICY.test(message);
}

export function isPolicyRefusal({ code, message }: Report): boolean {
  return code === DENIED && BY_POLICY.test(message);
}

/** Whether PostgreSQL failed for another reason. */
export function isOtherFailure({ code }: Report): boolean {
  return /^[\dA-Z]{5}$/u.test(code) && code !== DENIED;
}

/** `42501: permission denied for table orders` */
export function quoteReport({ status, code, message }: Report): string {
  const text = [code, message].filter((part) => part !== '').join(': ');
  return text === '' ? `status ${status}` : text;
}
