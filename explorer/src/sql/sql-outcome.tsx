// The outcome of a run: the last rows, the plan, or the error with its place in the text.
import { useMemo } from 'preact/hooks';
import type { ComponentChildren, RefObject, VNode } from 'preact';
import type { ConsoleDone, ConsoleResult } from '../client/console.ts';
import { PlanSteps } from '../plan/plan-steps.tsx';
import { readPlan } from '../plan/plan-tree.ts';
import '../plan/plan.css';
import { ResultTable } from '../result/result-table.tsx';
import { formatMilliseconds } from '../result/units.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Badge, Name } from '../ui/text.tsx';
import { type PastRun, wordAt } from './past-run.ts';
import { tableOf } from './result-table.ts';
import type { SqlEditor } from './sql-editor.ts';
import { type SuggestedName, suggestName } from './suggest-name.ts';
import { countRows } from '../rows/pages.ts';

interface SqlOutcomeProps {
  readonly past: PastRun;
  readonly schema: SchemaIndex;
  readonly editor: RefObject<SqlEditor | null>;
  readonly onMeasure: () => void;
}

export function SqlOutcome({ past, schema, editor, onMeasure }: SqlOutcomeProps): VNode {
  const { outcome, request, milliseconds } = past;
  switch (outcome.kind) {
    case 'done':
      return request.explain === undefined ? (
        <Done {...{ outcome, milliseconds }} />
      ) : (
        <Plan {...{ outcome, onMeasure }} isMeasured={request.explain === 'measure'} />
      );
    case 'failed': {
      const suggested = suggestName(request.sql, outcome, schema);
      return (
        <Problem
          title={outcome.message}
          hint={outcome.hint}
          past={past}
          at={outcome.at}
          action={suggested && <Correction {...{ past, suggested, editor }} />}
        >
          <p>
            <Badge>{outcome.code}</Badge> {typeof outcome.details === 'string' ? <bdi>{outcome.details}</bdi> : null}
          </p>
        </Problem>
      );
    }
    case 'problem':
      return <Problem title={outcome.message} past={past} at={outcome.at} />;
    case 'refused':
      return <Problem title={outcome.message} past={past} at={undefined} />;
  }
}

interface ProblemProps {
  readonly title: string;
  readonly hint?: string | undefined;
  readonly past: PastRun;
  readonly at: number | undefined;
  readonly action?: ComponentChildren;
  readonly children?: ComponentChildren;
}

function Problem({ title, hint, past, at, action, children }: ProblemProps): VNode {
  return (
    <div class="sql-notice">
      <Notice tone="danger" title={<bdi>{title}</bdi>} {...{ hint, action }}>
        {children}
        {at === undefined ? null : <MarkedLine text={past.request.sql} at={at} />}
      </Notice>
    </div>
  );
}

interface CorrectionProps extends Pick<SqlOutcomeProps, 'past' | 'editor'> {
  readonly suggested: SuggestedName;
}

/** Offers a similar name for an unknown one. */
function Correction({ past: { request, start }, suggested: { from, to, name }, editor }: CorrectionProps): VNode {
  const range = { from: start + from, to: start + to };
  return (
    <>
      Did you mean <bdi>{name}</bdi>?{' '}
      <Button size="small" onClick={() => editor.current?.replace(range, name, request.sql.slice(from, to))}>
        Replace
      </Button>
    </>
  );
}

/** The line of the error, with its word marked. */
function MarkedLine({ text, at }: { readonly text: string; readonly at: number }): VNode {
  const lineStart = text.lastIndexOf('\n', at - 1) + 1;
  const lineEnd = text.indexOf('\n', at);
  const line = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd);
  const word = wordAt(text, at);
  const number = text.slice(0, at).split('\n').length;
  return (
    <pre class="sql-place" dir="ltr">
      <span class="sql-line">{number}</span>
      {line.slice(0, at - lineStart)}
      <mark>{word === '' ? ' ' : word}</mark>
      {line.slice(at - lineStart + word.length)}
    </pre>
  );
}

function Done({ outcome, milliseconds }: { readonly outcome: ConsoleDone; readonly milliseconds: number }): VNode {
  const { results } = outcome;
  const shown = results.findLast(({ columns }) => columns !== undefined);
  const model = useMemo(() => shown && tableOf(shown), [shown]);
  return (
    <>
      <p class="sql-status" role="status">
        {results.map(({ command }) => command ?? 'SELECT').join(', ')}
        {shown === undefined ? '' : ` · ${describeRows(shown)}`} · {formatMilliseconds(milliseconds)}
        <RanAs outcome={outcome} />
      </p>
      {model === undefined || model.count === 0 ? null : (
        <ResultTable
          model={model}
          schema={undefined}
          label="Rows of the result"
          source=""
          response={shown}
          insertedRows={0}
          orderOf={() => undefined}
          onOrder={undefined}
          rowMenu={undefined}
          editing={undefined}
        />
      )}
    </>
  );
}

function describeRows({ rows, isCut }: ConsoleResult): string {
  const count = countRows(rows.length);
  return isCut ? `the first ${count}; further or very long rows are not shown` : count;
}

function RanAs({ outcome: { role, isSuperuser } }: { readonly outcome: ConsoleDone }): VNode {
  return (
    <span class="sql-role">
      Ran as <Name text={role} isMono />
      {isSuperuser ? (
        <Badge
          tone="warning"
          title="A superuser bypasses all privileges and policies, and can read files of the server"
        >
          superuser
        </Badge>
      ) : null}
    </span>
  );
}

interface PlanProps {
  readonly outcome: ConsoleDone;
  readonly isMeasured: boolean;
  readonly onMeasure: () => void;
}

function Plan({ outcome, isMeasured, onMeasure }: PlanProps): VNode {
  const tree = readPlan(outcome.results[0]?.rows[0]?.[0] ?? '');
  return (
    <div class="ui-stack plan">
      <div class="ui-row ui-wrap plan-bar">
        <p>
          {isMeasured ? 'Measured rows and times of an actual run.' : 'Estimates of the planner.'}
          <RanAs outcome={outcome} />
        </p>
        {isMeasured ? null : (
          <Button size="small" icon="play" onClick={onMeasure}>
            Run and measure
          </Button>
        )}
      </div>
      {tree === undefined ? <Notice tone="info" title="This statement has no plan." /> : <PlanSteps tree={tree} />}
    </div>
  );
}
