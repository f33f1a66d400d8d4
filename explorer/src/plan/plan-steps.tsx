// The steps of a plan as an indented list, with rows and a bar for the share of each step in the total.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { Icon } from '../ui/icon.tsx';
import { Badge } from '../ui/text.tsx';
import type { PlanStep, PlanTree } from './plan-tree.ts';

export function PlanSteps({ tree }: { readonly tree: PlanTree }): VNode {
  const { root, measure, planningTime, executionTime } = tree;
  return (
    <div class="plan-steps">
      <ul class="plan-tree">
        <Step step={root} measure={measure} />
      </ul>
      <p class="plan-sum">
        {planningTime === undefined ? null : `Planned in ${formatTime(planningTime)}. `}
        {executionTime === undefined ? null : `Executed in ${formatTime(executionTime)}. `}
        {measure === 'cost' ? 'Costs have no unit; they are only comparable with each other.' : null}
      </p>
    </div>
  );
}

interface StepProps {
  readonly step: PlanStep;
  readonly measure: PlanTree['measure'];
}

function Step({ step, measure }: StepProps): VNode {
  const [isOpen, setOpen] = useState(step.isSlowest);
  const { type, target, name, details, children } = step;
  return (
    <li>
      <div class={`plan-step${step.isSlowest ? ' plan-step-slowest' : ''}`}>
        <button
          type="button"
          class="ui-row ui-wrap plan-step-head"
          aria-expanded={isOpen}
          disabled={details.length === 0}
          onClick={() => setOpen(!isOpen)}
        >
          <span class="plan-step-icon">
            {details.length === 0 ? null : <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={12} />}
          </span>
          <span class="plan-step-type">{type}</span>
          {target === undefined ? null : <bdi class="plan-step-target">{target}</bdi>}
          {name === undefined ? null : <Badge>{name}</Badge>}
          {step.isSlowest ? <Badge tone="warning">{measure === 'time' ? 'slowest' : 'most costly'}</Badge> : null}
        </button>
        <Rows step={step} />
        <Share step={step} measure={measure} />
        {isOpen && details.length > 0 ? <Details details={details} /> : null}
      </div>
      {children.length === 0 ? null : (
        <ul class="plan-tree">
          {children.map((child) => (
            <Step key={child.id} step={child} measure={measure} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** A misestimate by this factor may have led to a bad plan. */
const WRONG_FACTOR = 10;

function Rows({ step: { rows, loops } }: { readonly step: PlanStep }): VNode {
  const planned = formatCount(rows.planned);
  if (rows.actual === undefined)
    return (
      <span class="ui-row ui-wrap ui-gap-2 plan-step-rows">
        about {planned} {rows.planned === 1 ? 'row' : 'rows'}
      </span>
    );
  const [more, less] = [Math.max(rows.actual, rows.planned, 1), Math.max(1, Math.min(rows.actual, rows.planned))];
  const times = loops > 1 ? ` in ${formatCount(loops)} loops` : '';
  return (
    <span class="ui-row ui-wrap ui-gap-2 plan-step-rows" title={`The planner expected ${planned} rows`}>
      {formatCount(rows.actual)} {rows.actual === 1 ? 'row' : 'rows'}
      {times}
      {more / less >= WRONG_FACTOR ? <Badge tone="info">expected {planned}</Badge> : null}
    </span>
  );
}

function Share({ step: { own, total, share }, measure }: StepProps): VNode {
  const format = measure === 'time' ? formatTime : formatCost;
  const percent = `${Math.round(share * 100)} %`;
  return (
    <span class="plan-step-share" title={`${format(own)} for this step, ${format(total)} including the steps below`}>
      <span class="plan-bar-line" aria-hidden="true">
        <span style={{ width: `${Math.max(share * 100, own > 0 ? 1 : 0)}%` }} />
      </span>
      <span class="plan-step-own">
        {format(own)} · {percent}
      </span>
    </span>
  );
}

function Details({ details }: Pick<PlanStep, 'details'>): VNode {
  return (
    <dl class="plan-details">
      {details.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd dir="auto">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function formatTime(milliseconds: number): string {
  return milliseconds < 10 ? `${milliseconds.toFixed(2)} ms` : `${Math.round(milliseconds).toLocaleString('en')} ms`;
}

function formatCost(cost: number): string {
  return cost < 100 ? cost.toFixed(1) : Math.round(cost).toLocaleString('en');
}

function formatCount(count: number): string {
  return Math.round(count).toLocaleString('en');
}
