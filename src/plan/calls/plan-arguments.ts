// Reads the names and values of a call's arguments from the request (`writing.md` §14.2, §14.4, §14.9). The names
// determine the overload.
import type { Routine } from '../../catalog/schema-cache.ts';
import type { Pieces } from '../../contract/transaction.ts';
import { FORMATS, type PayloadFormat } from '../../media/formats.ts';
import type { ApiRequest } from '../../request/api-request.ts';
import type { Payload } from '../../request/payload/payload.ts';
import type { ArgumentsPlan, ArgumentValue } from '../actions/action-plan.ts';
import type { ArgumentPassing } from './overload.ts';

const NONE: ArgumentsPlan = { kind: 'none' };

export function argumentNames({ payload, query }: ApiRequest): readonly string[] {
  switch (payload?.kind) {
    case undefined:
      return query.args.map(([name]) => name);
    case 'json':
      return payload.keys;
    case 'form':
      return payload.fields.map(([name]) => name);
    case 'raw':
      return [];
  }
}

export function routineContentTypeOf(payload: Payload | undefined): PayloadFormat {
  switch (payload?.kind) {
    case undefined:
      return 'json';
    case 'json':
      return payload.source;
    case 'form':
      return 'form';
    case 'raw':
      return payload.format;
  }
}

export function planArguments(request: ApiRequest, routine: Routine, passing: ArgumentPassing): ArgumentsPlan {
  const { payload, query } = request;
  if (passing !== 'named') return planBody(request, routine);
  switch (payload?.kind) {
    case undefined:
      return planText(query.args, routine);
    case 'form':
      return planText(payload.fields, routine);
    case 'json':
      return payload.keys.length === 0
        ? NONE
        : { kind: 'json', bytes: payload.bytes, isArray: payload.isArray, names: payload.keys };
    case 'raw':
      return NONE;
  }
}

/** Passes the whole body as the only argument; without a body (GET), a JSON object of the arguments as strings. */
function planBody({ payload, query }: ApiRequest, routine: Routine): ArgumentsPlan {
  const declared = routine.parameters[0]?.type;
  const type = declared === 'jsonb' ? 'jsonb' : 'json';
  switch (payload?.kind) {
    case undefined:
      return { kind: 'body', bytes: encodeObject(query.args), type };
    case 'form':
      return { kind: 'body', bytes: encodeObject(payload.fields), type };
    case 'json':
      return { kind: 'body', bytes: payload.bytes, type };
    case 'raw':
      return { kind: 'body', bytes: payload.bytes, type: FORMATS[payload.format].body.parameterTypes[0] };
  }
}

function encodeObject(pairs: readonly (readonly [string, string])[]): Pieces {
  return [new TextEncoder().encode(JSON.stringify(Object.fromEntries(pairs)))];
}

/** If an argument is repeated, its last value is used, unless the parameter is variadic. */
function planText(pairs: readonly (readonly [string, string])[], routine: Routine): ArgumentsPlan {
  const values = routine.parameters.flatMap(({ name, isVariadic }): readonly ArgumentValue[] => {
    const texts = pairs.filter(([given]) => given === name).map(([, value]) => value);
    if (texts.length === 0) return [];
    return [{ name, values: isVariadic ? texts : texts.slice(-1) }];
  });
  return values.length === 0 ? NONE : { kind: 'text', values };
}
