// State of the form of a function: the values, the resulting request and its outcome.
import { useState } from 'preact/hooks';
import type { DescribedFunction } from '../../../src/contract/schema-document.ts';
import { parseArray } from '../builder/array-literal.ts';
import type { OutgoingRequest, ReceivedResponse } from '../client/exchange.ts';
import type { Store } from '../store/store.ts';
import { argumentsOf } from '../url-state/edit-arguments.ts';
import { parseUrl } from '../url-state/parse-url.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';
import { callByGet, callByPost, inputOf, isCalledByGet } from './call-request.ts';
import { type FieldValue, type FieldValues, textValue, valueOf } from './field-value.ts';
import type { Problems } from './form-fields.ts';
import { type Sending, useSending } from './use-sending.ts';

export interface Answered {
  readonly url: string;
  readonly response: ReceivedResponse;
}

export interface FunctionCall {
  readonly values: FieldValues;
  readonly change: (name: string, value: FieldValue) => void;
  /** Returns the error of a parameter. Missing values are reported only after an attempt to run. */
  readonly problemOf: (name: string) => string | undefined;
  /** Undefined if the input is invalid. */
  readonly request: OutgoingRequest | undefined;
  readonly run: () => void;
  readonly sending: Sending;
  /** The outcome of the last call by POST. */
  readonly answered: Answered | undefined;
}

export function useFunctionCall(store: Store, one: DescribedFunction): FunctionCall {
  const model = currentModel(store, one);
  const [values, setValues] = useState<FieldValues>(() => readArguments(one, model));
  const [isBlocked, setBlocked] = useState(false);
  const [answered, setAnswered] = useState<Answered | undefined>(undefined);
  const sending = useSending(store, (response, { url }) => setAnswered({ url, response }));
  const { request, problems } = makeRequest(one, values, model);
  return {
    values,
    request,
    sending,
    answered,
    problemOf: (name) => (isBlocked || valueOf(values, name).kind === 'text' ? problems.get(name) : undefined),
    change(name, value) {
      sending.forget();
      setValues(new Map(values).set(name, value));
    },
    run() {
      setAnswered(undefined);
      if (request === undefined) setBlocked(true);
      else if (isCalledByGet(one)) visit(store, request.url);
      else sending.send(request);
    },
  };
}

interface Made {
  readonly request: OutgoingRequest | undefined;
  readonly problems: Problems;
}

function makeRequest(one: DescribedFunction, values: FieldValues, model: QueryModel | undefined): Made {
  if (!isCalledByGet(one)) {
    const call = callByPost(one, values, model);
    return call.ok ? { request: call.value, problems: NONE } : { request: undefined, problems: call.error };
  }
  const target = callByGet(one, values, model);
  if (!target.ok) return { request: undefined, problems: target.error };
  const headers = [['Accept', 'application/json']] as const;
  return { request: { method: 'GET', url: renderUrl(target.value), headers, body: undefined }, problems: NONE };
}

const NONE: Problems = new Map();

/** Returns the query of the current place if it calls this function. */
function currentModel(store: Store, one: DescribedFunction): QueryModel | undefined {
  const place = store.place.value;
  const parsed = place.kind === 'request' ? parseUrl(place.url) : undefined;
  const isThis = parsed?.ok === true && parsed.value.path.kind === 'function' && parsed.value.path.name === one.name;
  return isThis ? parsed.value : undefined;
}

function readArguments(one: DescribedFunction, model: QueryModel | undefined): FieldValues {
  return new Map(
    one.parameters.flatMap((parameter) => {
      const texts = model === undefined ? [] : argumentsOf(model, parameter.name);
      if (texts.length === 0) return [];
      const isLines = inputOf(parameter).kind === 'lines';
      const elements = isLines && !parameter.isVariadic ? (parseArray(texts[0] ?? '') ?? texts) : texts;
      return [[parameter.name, textValue(isLines ? elements.join('\n') : (texts.at(-1) ?? ''))] as const];
    }),
  );
}

function visit(store: Store, url: string): void {
  const place = store.place.value;
  const isSame = place.kind === 'request' && place.url === url;
  if (isSame) store.run();
  else store.go({ kind: 'request', schema: place.schema, url, view: place.kind === 'request' ? place.view : 'table' });
}
