// The form for the parameters of a function. Calling a read-only function navigates to its place, so that the URL
// contains the call; any other function is called with POST and its result shown below.
import { useEffect, useRef } from 'preact/hooks';
import type { VNode } from 'preact';
import type { DescribedFunction, DescribedParameter } from '../../../src/contract/schema-document.ts';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { Spinner } from '../ui/text.tsx';
import { inputOf, isCalledByGet } from './call-request.ts';
import { UNSET, valueOf } from './field-value.ts';
import { FormRow } from './form-row.tsx';
import { FunctionResult } from './function-result.tsx';
import { Outcome } from './outcome.tsx';
import { RequestPreview } from './request-preview.tsx';
import { type FunctionCall, useFunctionCall } from './use-function-call.ts';
import './forms.css';

export interface FunctionFormProps {
  readonly store: Store;
  /** One of the overloads. */
  readonly function: DescribedFunction;
}

export function FunctionForm({ store, function: one }: FunctionFormProps): VNode {
  const call = useFunctionCall(store, one);
  const { sending, answered } = call;
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (sending.state.kind !== 'sending') outcome.current?.scrollIntoView({ block: 'nearest' });
  }, [sending.state, answered]);
  const run = (event: Event): void => {
    event.preventDefault();
    call.run();
  };
  return (
    <form class="ui-stack forms forms-function" aria-label={`Call ${one.name}`} onSubmit={run}>
      {one.comment === undefined ? null : (
        <p class="forms-comment">
          <bdi>{one.comment}</bdi>
        </p>
      )}
      {one.parameters.map((parameter) => (
        <ParameterRow key={parameter.name} {...{ store, parameter, call }} isNullable={!isCalledByGet(one)} />
      ))}
      <RequestPreview store={store} request={call.request} />
      <CallButtons {...{ store, call }} isWrite={!isCalledByGet(one)} />
      <div ref={outcome} class="forms-outcome">
        <Outcome state={sending.state} />
        {answered === undefined ? null : <FunctionResult store={store} {...answered} />}
      </div>
    </form>
  );
}

interface ParameterRowProps {
  readonly store: Store;
  readonly parameter: DescribedParameter;
  readonly call: FunctionCall;
  /** A URL cannot represent null. */
  readonly isNullable: boolean;
}

function ParameterRow({ store, parameter, call, isNullable }: ParameterRowProps): VNode {
  const { name } = parameter;
  return (
    <FormRow
      {...parameter}
      store={store}
      input={inputOf(parameter)}
      isNullable={isNullable}
      placeholder={placeholderOf(parameter)}
      lookUp={undefined}
      initial={UNSET}
      value={valueOf(call.values, name)}
      error={call.problemOf(name)}
      onValue={(value) => call.change(name, value)}
    />
  );
}

function placeholderOf({ isRequired, default: text }: DescribedParameter): string {
  if (text !== undefined) return `default: ${text}`;
  return isRequired ? '' : 'optional';
}

interface CallButtonsProps extends Pick<ParameterRowProps, 'store' | 'call'> {
  readonly isWrite: boolean;
}

function CallButtons({ store, call: { request, sending }, isWrite }: CallButtonsProps): VNode {
  const canDryRun = isWrite && store.known.value?.document.features.rollback === true;
  return (
    <div class="ui-row ui-wrap ui-gap-3">
      <Button type="submit" variant="primary" icon="play">
        Run
      </Button>
      {canDryRun ? (
        <Button
          disabled={request === undefined}
          title="Run the function and roll it back, so that nothing changes"
          onClick={() => request && sending.dryRun(request)}
        >
          Dry run
        </Button>
      ) : null}
      {sending.state.kind === 'sending' ? <Spinner label="Running" /> : null}
    </div>
  );
}
