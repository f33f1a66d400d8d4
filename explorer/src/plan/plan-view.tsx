// The plan of the current request, if the server provides plans. Initially shows estimates; measures times only on
// demand, because that executes the query.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Exchange } from '../client/exchange.ts';
import { readServerError } from '../client/server-error.ts';
import type { Store } from '../store/store.ts';
import { useAnswer } from '../store/use-answer.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState, Notice } from '../ui/notice.tsx';
import { Code, Spinner } from '../ui/text.tsx';
import { PlanSteps } from './plan-steps.tsx';
import { readPlan } from './plan-tree.ts';
import './plan.css';

export function PlanView({ store }: { readonly store: Store }): VNode | null {
  const place = store.place.value;
  const schema = store.known.value;
  if (place.kind !== 'request' || schema === undefined) return null;
  const { features, mediaVendor } = schema.document;
  if (!features.plans) return <PlansOff />;
  return <RequestedPlan key={JSON.stringify([place.schema, place.url])} {...{ store, mediaVendor }} url={place.url} />;
}

function PlansOff(): VNode {
  return (
    <EmptyState icon="clock" title="This server does not provide plans.">
      Its operator can enable them with <Code>db-plan-enabled = true</Code>.
    </EmptyState>
  );
}

interface RequestedPlanProps {
  readonly store: Store;
  readonly url: string;
  readonly mediaVendor: string;
}

function RequestedPlan({ store, url, mediaVendor }: RequestedPlanProps): VNode {
  const [isMeasured, setMeasured] = useState(false);
  const token = store.token.value;
  const options = isMeasured ? '; options=analyze|buffers' : '';
  const headers = [['Accept', `application/vnd.${mediaVendor}.plan+json${options}`]] as const;
  const exchange = useAnswer(
    (signal) => store.send({ method: 'GET', url, headers, body: undefined }, signal),
    [store, url, mediaVendor, isMeasured, token],
  );
  return (
    <div class="ui-stack plan">
      <div class="ui-row ui-wrap plan-bar">
        <p>
          {isMeasured
            ? 'Measured rows and times of an actual run.'
            : 'Estimates of the planner. To measure rows and times, run the query.'}
        </p>
        <Button size="small" icon={isMeasured ? 'undo' : 'play'} onClick={() => setMeasured(!isMeasured)}>
          {isMeasured ? 'Estimate only' : 'Run and measure'}
        </Button>
      </div>
      {exchange === undefined ? <Waiting /> : <PlanOutcome exchange={exchange} />}
    </div>
  );
}

function Waiting(): VNode {
  return (
    <div class="plan-waiting">
      <Spinner label="Loading the plan" />
    </div>
  );
}

function PlanOutcome({ exchange }: { readonly exchange: Exchange }): VNode {
  if (exchange.kind !== 'answered') {
    return <Notice tone="danger" title="The server does not respond." hint="Open the plan again in a moment." />;
  }
  const { status, text } = exchange.response;
  const tree = status < 300 ? readPlan(text) : undefined;
  if (tree !== undefined) return <PlanSteps tree={tree} />;
  return (
    <Notice tone="danger" title="No plan for this request." hint="Fix the request in one of the other views first.">
      <bdi>{readServerError(text).message ?? text.slice(0, 1000)}</bdi>
    </Notice>
  );
}
