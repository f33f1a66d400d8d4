// Random batches of other random requests, which refer to earlier responses (`beyond.md` §2.1).
import type { Question } from '../http-client.ts';
import type { Random } from './random.ts';
import { breakText, encode } from './random-request.ts';

export const BATCH_TYPE = 'application/vnd.svc.batch+json';

const POINTERS = ['/0/id', '/0', '', '/id', '/0/nosuch', '/1/id', 'x'];

export function randomBatch(random: Random, make: (random: Random) => Question): Question {
  const requests = random.list(random.chance(0.03) ? 0 : 1, 4, () => make(random));
  const text = `[${requests.map((request, index) => renderRequest(random, request, index)).join()}]`;
  const level = random.pick(['serializable', '"repeatable read"', '"read committed"', 'x']);
  return {
    method: 'POST',
    url: '/',
    headers: {
      'Content-Type': BATCH_TYPE,
      ...(random.chance(0.15) && { Prefer: `isolation=${level}` }),
    },
    body: random.chance(0.03) ? breakText(random, text) : text,
  };
}

function renderRequest(random: Random, { method, url, headers, body }: Question, index: number): string {
  const id = random.chance(0.02) ? 'r0' : `r${index}`;
  const refers = index > 0 && random.chance(0.3);
  const members = [
    `"id":"${id}","method":"${method}"`,
    `"path":${JSON.stringify(refers ? addReference(random, url, index) : url)}`,
    `"headers":${JSON.stringify(withoutForbidden(random, headers))}`,
    ...(body === undefined ? [] : [`"body":${renderBody(random, body, refers)}`]),
  ];
  return `{${members.join()}}`;
}

/** Headers that only the batch may have are an error in one of its requests. */
function withoutForbidden(random: Random, headers: Question['headers']): Question['headers'] {
  if (random.chance(0.02)) return headers;
  const others = Object.entries(headers).filter(([name]) => name !== 'Content-Profile' && name !== 'Idempotency-Key');
  return Object.fromEntries(others.map(([name, value]) => [name, name === 'Prefer' ? withoutEnd(value) : value]));
}

function withoutEnd(prefer: string): string {
  const items = prefer.split(', ').filter((item) => !item.startsWith('tx='));
  return items.join(', ');
}

function referTo(random: Random, index: number): { readonly id: string; readonly at: string } {
  return { id: random.chance(0.05) ? 'nosuch' : `r${random.roll(index)}`, at: random.pick(POINTERS) };
}

function addReference(random: Random, url: string, index: number): string {
  const { id, at } = referTo(random, index);
  const reference = `{${id}#${at}}`;
  const value = random.pick([`eq.${reference}`, `in.("${reference}","2")`, `eq.${reference}x`, `gt.${reference}`]);
  return `${url}${url.includes('?') ? '&' : '?'}id=${random.chance(0.5) ? value : encode(value)}`;
}

function renderBody(random: Random, body: string | Uint8Array, refers: boolean): string {
  if (typeof body !== 'string' || !isJson(body)) return JSON.stringify(Buffer.from(body).toString());
  if (!refers || random.chance(0.5)) return body;
  const { id, at } = referTo(random, 1);
  const value = random.pick([`{"$from":"${id}","at":"${at}"}`, '{"$literal":{"$from":1}}', '{"$from":"r0"}']);
  return body.replace(/:(?:\d+|"\w*")(?=[,}])/u, `:${value}`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
