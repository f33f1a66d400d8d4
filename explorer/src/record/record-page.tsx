// The page about one row: its history, its fields, the rows it references, and the rows related to it.
import { useMemo, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { FormChoice } from '../forms/form-choice.ts';
import { listRowForms, OpenedForm } from '../forms/opened-form.tsx';
import { finishedWrites } from '../forms/undo.ts';
import { describeResult } from '../rows/describe-level.ts';
import { ErrorView } from '../result/error-view.tsx';
import type { JsonObject } from '../rows/json-value.ts';
import { parseRowAddress, renderRowAddress } from '../url-state/row-address.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import { labelOfRow } from '../rows/row-label.ts';
import { labelColumns } from '../schema/example.ts';
import type { Store } from '../store/store.ts';
import { type Reading, useReading } from '../store/use-reading.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState, Notice } from '../ui/notice.tsx';
import { PageHead, PageLink } from '../ui/page.tsx';
import { Spinner } from '../ui/text.tsx';
import { type PagePlace, renderPlace } from '../url-state/place.ts';
import { decodeSegment, encodeSegment } from '../url-state/readable-text.ts';
import { listFieldLabels } from './field-labels.ts';
import { Fields } from './fields.tsx';
import { ExplainLink } from '../result/explain-link.tsx';
import { isHistoryOf } from './history-table.ts';
import { makeRecordModel, type RecordModel, requestRecord } from './record-model.ts';
import { listRelated } from './related.ts';
import { RelatedRows } from './related-rows.tsx';
import { References } from './references.tsx';
import { Timeline } from './timeline.tsx';
import './record.css';

export interface RecordPageProps {
  readonly store: Store;
  readonly place: PagePlace;
}

export function RecordPage({ store, place }: RecordPageProps): VNode {
  const schema = store.known.value;
  const record = useMemo(() => schema && makeRecordModel(place.url, schema), [schema, place.url]);
  const version = finishedWrites.value;
  const reading = useReading(store, record && requestRecord(record), version);
  if (schema === undefined) return <Waiting />;
  if (record === undefined) return <NoRow {...{ store, place }} title="This is not a row of a table or view." />;
  if (reading.kind === 'loading') return <Waiting />;
  if (reading.kind === 'failed') return <FailedReading {...{ store, place, reading }} />;
  const [row, other] = reading.rows;
  if (row === undefined) return <NoRow {...{ store, place }} title="No such row." />;
  if (other !== undefined) return <NoRow {...{ store, place }} title="Several rows have this address." />;
  return <Loaded {...{ store, place, schema, record, row, version }} />;
}

interface LoadedProps extends RecordPageProps {
  readonly schema: SchemaIndex;
  readonly record: RecordModel;
  readonly row: JsonObject;
  /** Changes when the row may have changed. */
  readonly version: number;
}

function Loaded({ store, place, schema, record, row, version }: LoadedProps): VNode {
  const level = useMemo(() => describeResult(record.model, schema), [record, schema]);
  const labels = useMemo(() => listFieldLabels({ record, row, level }, schema), [record, row, level, schema]);
  const related = useMemo(() => listRelated(record, row, schema), [record, row, schema]);
  const history = related.find(({ target }) => isHistoryOf(record.relation.name, target));
  return (
    <article class="ui-page record">
      <Head {...{ store, place, record, row }} />
      {history === undefined ? null : <Timeline {...{ store, related: history, version }} />}
      <Fields {...{ record, row, level, labels }} schema={place.schema} />
      <References {...{ record, row, level }} schema={place.schema} />
      {related
        .filter((one) => one !== history)
        .map((one) => (
          <RelatedRows key={one.allUrl} {...{ store, schema, related: one, version }} />
        ))}
    </article>
  );
}

type HeadProps = Pick<LoadedProps, 'store' | 'place' | 'record' | 'row'>;

function Head({ store, place, record, row }: HeadProps): VNode {
  const [choice, setChoice] = useState<FormChoice | undefined>(undefined);
  const { relation } = record;
  const { schema, url } = place;
  const columns = labelColumns(relation).map(({ name }) => name);
  const title = labelOfRow(columns, row) ?? decodeSegment(url.slice(1));
  const forms = relation.key.length > 0 ? listRowForms(relation, url, setChoice) : [];
  return (
    <PageHead kind={`Row of ${relation.name}`} title={title}>
      {forms.map((form, index) => (
        <Button key={index} size="small" icon={form.icon} onClick={form.onSelect}>
          {form.label}
        </Button>
      ))}
      <PageLink icon="table" label="Table" place={{ kind: 'request', schema, url, view: 'table' }} />
      <PageLink
        icon="book"
        label="Reference"
        place={{ kind: 'reference', schema, url: `/${encodeSegment(relation.name)}` }}
      />
      {store.signingKey.value === undefined ? null : (
        <PageLink
          icon="shield"
          label={relation.may.update ? 'Who can change it?' : "Why can't I change it?"}
          place={{ kind: 'explain', schema, url: renderRowAddress({ ...parseRowAddress(url), action: 'update' }) }}
        />
      )}
      <OpenedForm {...{ store, choice }} onDone={() => setChoice(undefined)} />
    </PageHead>
  );
}

function Waiting(): VNode {
  return (
    <div class="ui-page-waiting">
      <Spinner label="Loading the row" />
    </div>
  );
}

function NoRow({ store, place: { schema, url }, title }: RecordPageProps & { readonly title: string }): VNode {
  return (
    <EmptyState
      icon="search"
      title={title}
      action={
        <>
          <a class="ui-button ui-button-default" href={renderPlace({ kind: 'request', schema, url, view: 'table' })}>
            Show as a table
          </a>
          <ExplainLink {...{ store, url }} />
        </>
      }
    >
      The row may have been deleted, or your role may not read it.
    </EmptyState>
  );
}

interface FailedProps extends RecordPageProps {
  readonly reading: Extract<Reading, { kind: 'failed' }>;
}

function FailedReading({ store, place: { schema, url }, reading: { exchange } }: FailedProps): VNode {
  if (exchange.kind !== 'answered') return <Notice tone="danger" title="The server does not respond." />;
  return (
    <ErrorView store={store} place={{ kind: 'request', schema, url, view: 'table' }} response={exchange.response} />
  );
}
