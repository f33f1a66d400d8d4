// A form for the parameters of a function. One that only reads is called by going to its place, so that the call stands in
// the address; any other is called by POST, and its result is shown below.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { DescribedFunction } from '../../../src/contract/schema-document.ts';
import { parseArray } from '../builder/array-literal.ts';
import type { ReceivedResponse } from '../client/exchange.ts';
import { parseJson } from '../result/json-value.ts';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Name, Spinner } from '../ui/text.tsx';
import { argumentsOf } from '../url-state/edit-arguments.ts';
import { parseUrl } from '../url-state/parse-url.ts';
import type { QueryModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';
import { callByGet, callByPost, inputOf, isCalledByGet } from './call-request.ts';
import { type FieldValue, type FieldValues, textValue, UNSET, valueOf } from './field-value.ts';
import type { Problems } from './form-fields.ts';
import { FormRow } from './form-row.tsx';
import { Outcome } from './outcome.tsx';
import { RequestPreview } from './request-preview.tsx';
import { useSending } from './use-sending.ts';
import { printJson } from './value-json.ts';
import './forms.css';

export interface FunctionFormProps {
  readonly store: Store;
  /** One of its overloads. */
  readonly function: DescribedFunction;
}

export function FunctionForm({ store, function: one }: FunctionFormProps): VNode {
  const model = presentModel(store, one);
  const [values, setValues] = useState<FieldValues>(() => readArguments(one, model));
  const [isBlocked, setBlocked] = useState(false);
  const [response, setResponse] = useState<ReceivedResponse | undefined>(undefined);
  const sending = useSending(store, setResponse);
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (sending.state.kind !== 'sending') outcome.current?.scrollIntoView({ block: 'nearest' });
  }, [sending.state, response]);
  const isByGet = isCalledByGet(one);
  const target = isByGet ? callByGet(one, values, model) : callByPost(one, values);
  const request = target.ok ? ('method' in target.value ? target.value : getRequest(target.value)) : undefined;
  const problems: Problems = target.ok ? new Map() : target.error;
  const change = (name: string, value: FieldValue): void => {
    sending.forget();
    setValues(new Map(values).set(name, value));
  };
  const run = (event: Event): void => {
    event.preventDefault();
    setResponse(undefined);
    if (request === undefined) setBlocked(true);
    else if (isByGet) visit(store, request.url);
    else sending.send(request);
  };
  const schema = store.schema.value;
  const canRehearse = !isByGet && schema.kind === 'ready' && schema.value.document.features.rollback;
  return (
    <form class="forms forms-function" aria-label={`Call ${one.name}`} onSubmit={run}>
      {one.comment === undefined ? null : (
        <p class="forms-comment">
          <bdi>{one.comment}</bdi>
        </p>
      )}
      {one.parameters.map((parameter) => (
        <FormRow
          key={parameter.name}
          {...parameter}
          store={store}
          input={inputOf(parameter)}
          isNullable={!isByGet}
          placeholder={parameter.isRequired ? '' : 'optional'}
          lookUp={undefined}
          initial={UNSET}
          value={valueOf(values, parameter.name)}
          error={
            isBlocked || valueOf(values, parameter.name).kind === 'text' ? problems.get(parameter.name) : undefined
          }
          onValue={(value) => change(parameter.name, value)}
        />
      ))}
      <RequestPreview store={store} request={request} />
      <div class="forms-buttons">
        <Button type="submit" variant="primary" icon="play">
          Run
        </Button>
        {canRehearse ? (
          <Button
            disabled={request === undefined}
            title="Run it and undo it: nothing is kept"
            onClick={() => request && sending.rehearse(request)}
          >
            Rehearse
          </Button>
        ) : null}
        {sending.state.kind === 'sending' ? <Spinner label="Running" /> : null}
      </div>
      <div ref={outcome} class="forms-outcome">
        <Outcome state={sending.state} />
        {response === undefined ? null : <Answer name={one.name} response={response} />}
      </div>
    </form>
  );
}

/** The query of the present place, where it calls this function. */
function presentModel(store: Store, one: DescribedFunction): QueryModel | undefined {
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

function getRequest(model: QueryModel) {
  return { method: 'GET', url: renderUrl(model), headers: [['Accept', 'application/json']], body: undefined } as const;
}

function visit(store: Store, url: string): void {
  const place = store.place.value;
  const isSame = place.kind === 'request' && place.url === url;
  if (isSame) store.run();
  else store.go({ kind: 'request', schema: place.schema, url, view: place.kind === 'request' ? place.view : 'table' });
}

function Answer({ name, response }: { readonly name: string; readonly response: ReceivedResponse }): VNode {
  const value = parseJson(response.text);
  return (
    <Notice
      tone="success"
      title={
        <>
          <Name text={name} isMono /> has run
        </>
      }
    >
      {response.text === '' ? (
        'It gave nothing back.'
      ) : (
        <pre class="forms-answer" tabIndex={0} aria-label="What it gave back">
          <bdi>{value === undefined ? response.text : printJson(value)}</bdi>
        </pre>
      )}
    </Notice>
  );
}
