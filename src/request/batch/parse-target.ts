// Parses the path of a request in a batch. A reference is data: it may be the whole value of an `eq` filter or one quoted
// element of an `in` list, and nothing else (`beyond.md` §2.1).
import { fail, ok, type Result } from '../../contract/result.ts';
import { classifyParameters } from '../query/classify-parameters.ts';
import { splitQuery } from '../query/split-query.ts';
import type { PathReference, TargetTemplate } from './batch.ts';

/** `{id#pointer}`. A path that contains no reference has no raw `#`. */
const REFERENCE = /\{([^{}#]*)#([^{}]*)\}/gu;
/** Stands for a reference in decoded text. */
const MARK = '\0';
const WHOLE_VALUE = /^(?:not\.)?eq\.\0$/u;
const LIST_ELEMENTS =
  /^(?:not\.)?in\.\((?:"\0"|"(?:[^"\\\0]|\\[^\0])*"|[^"\0,]*)(?:,(?:"\0"|"(?:[^"\\\0]|\\[^\0])*"|[^"\0,]*))*\)$/u;

export interface MisplacedReference {
  readonly text: string;
  readonly reason: 'place' | 'id';
}

/** @param findRequest returns the index of the earlier request with the id */
export function parseTarget(
  target: string,
  findRequest: (id: string) => number | undefined,
): Result<TargetTemplate, MisplacedReference> {
  if (!target.includes('#')) return ok([target]);
  const queryAt = target.indexOf('?') + 1;
  const pieces = queryAt === 0 ? [target] : [target.slice(0, queryAt), ...splitAfterAmpersands(target.slice(queryAt))];
  const parts: (string | PathReference)[] = [];
  for (const [index, piece] of pieces.entries()) {
    const references = [...piece.matchAll(REFERENCE)];
    const place = references.length === 0 ? 'value' : index === 0 ? undefined : findPlace(piece);
    let at = 0;
    for (const { 0: text, 1: id = '', 2: pointer = '', index: start } of references) {
      if (place === undefined) return fail({ text, reason: 'place' });
      const request = findRequest(id);
      if (request === undefined) return fail({ text, reason: 'id' });
      parts.push(piece.slice(at, start), { request, id, pointer, place });
      at = start + text.length;
    }
    parts.push(piece.slice(at));
  }
  return ok(parts);
}

function splitAfterAmpersands(query: string): readonly string[] {
  return query.split(/(?<=&)/u);
}

/** @returns undefined if the references stand elsewhere */
function findPlace(piece: string): PathReference['place'] | undefined {
  const raw = piece.endsWith('&') ? piece.slice(0, -1) : piece;
  if (raw.includes(MARK) || /%00/u.test(raw)) return undefined;
  const [parameter] = classifyParameters(splitQuery(raw.replaceAll(REFERENCE, '%00'))).filters;
  if (parameter === undefined || parameter.name.includes(MARK)) return undefined;
  if (WHOLE_VALUE.test(parameter.value)) return 'value';
  return LIST_ELEMENTS.test(parameter.value) ? 'element' : undefined;
}
