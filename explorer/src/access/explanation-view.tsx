// The explanation of a row: the verdict, then the steps that led to it.
import type { VNode } from 'preact';
import type { RowExplanation } from '../../../src/contract/access-document.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Notice } from '../ui/notice.tsx';
import { Code } from '../ui/text.tsx';
import { describeSteps, type Step } from './describe-row.ts';
import { describeVerdict } from './describe-verdict.ts';
import { SqlBlock } from './sql-block.tsx';

interface ExplanationViewProps {
  readonly explanation: RowExplanation;
  readonly schema: string;
}

export function ExplanationView({ explanation, schema }: ExplanationViewProps): VNode {
  const { tone, title, reason } = describeVerdict(explanation);
  return (
    <section aria-label="Explanation" class="access-explanation">
      <Notice tone={tone} title={<bdi>{title}</bdi>}>
        <p dir="auto">{reason}</p>
      </Notice>
      <ol class="access-steps">
        {describeSteps(explanation, schema).map((step) => (
          <StepView key={step.title} {...step} />
        ))}
      </ol>
    </section>
  );
}

const MARKS: Readonly<Record<Step['state'], { readonly icon: IconName; readonly label: string }>> = {
  passed: { icon: 'check', label: 'Passed' },
  failed: { icon: 'close', label: 'Failed' },
  limited: { icon: 'info', label: 'Note' },
  unknown: { icon: 'help', label: 'Unknown' },
};

function StepView({ title, state, text, expression, details = [], sql }: Step): VNode {
  const { icon, label } = MARKS[state];
  return (
    <li class={`access-step access-step-${state}`}>
      <span class="access-mark">
        <Icon name={icon} />
        <span class="ui-unseen">{label}:</span>
      </span>
      <div class="access-step-text">
        <strong>
          <bdi>{title}</bdi>
        </strong>
        <p dir="auto">{text}</p>
        {expression === undefined ? null : (
          <p>
            <Code>{expression}</Code>
          </p>
        )}
        {details.map((detail) => (
          <p key={detail} dir="auto">
            {detail}
          </p>
        ))}
        {sql === undefined ? null : <SqlBlock title="To change it" sql={sql} />}
      </div>
    </li>
  );
}
