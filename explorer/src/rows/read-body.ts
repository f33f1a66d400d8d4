// Classifies the body of a response by status and media type, to choose a view.
import type { ReceivedResponse } from '../client/exchange.ts';
import { headerOf } from '../client/headers.ts';
import { findElements, type JsonElements } from './json-elements.ts';
import { type JsonValue, parseJson } from './json-value.ts';

export type Body =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'rows'; readonly text: string; readonly elements: JsonElements }
  | { readonly kind: 'value'; readonly text: string; readonly value: JsonValue }
  | { readonly kind: 'plan'; readonly text: string }
  | { readonly kind: 'csv' | 'text'; readonly text: string; readonly type: string }
  | { readonly kind: 'binary'; readonly content: Blob; readonly type: string };

/** @param response must not be an error */
export function readBody(response: ReceivedResponse): Body {
  const { text } = response;
  const [type = ''] = (headerOf(response, 'content-type') ?? '').toLowerCase().split(';', 1);
  if (response.bytes === 0) return { kind: 'nothing' };
  if (type.endsWith('.plan+json')) return { kind: 'plan', text };
  if (/[/+]json$/u.test(type)) return readJson(text, type);
  if (type === 'text/csv') return { kind: 'csv', text, type };
  return isText(type) && !text.includes('\uFFFD')
    ? { kind: 'text', text, type }
    : { kind: 'binary', content: response.content, type };
}

function isText(type: string): boolean {
  return type !== 'image/svg+xml' && /^text\/|[/+](?:xml|javascript|yaml)$/u.test(type);
}

function readJson(text: string, type: string): Body {
  const elements = findElements(text);
  if (elements !== undefined) return { kind: 'rows', text, elements };
  const value = parseJson(text);
  return value === undefined ? { kind: 'text', text, type } : { kind: 'value', text, value };
}
