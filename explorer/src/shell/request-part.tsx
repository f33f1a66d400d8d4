// The content of a request's place: the form of a function, the response, and the forms to write rows.
import { useState } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';
import type { DescribedFunction, DescribedRelation } from '../../../src/contract/schema-document.ts';
import { CopyMenu } from '../copy/copy-menu.tsx';
import { isCalledByGet } from '../forms/call-request.ts';
import { FunctionPanel } from '../forms/function-panel.tsx';
import type { FormChoice } from '../forms/form-choice.ts';
import { InsertButtons, listRowForms, OpenedForm } from '../forms/opened-form.tsx';
import { createTableEditing } from '../forms/table-editing.tsx';
import { SaveRequest } from '../history/save-request.tsx';
import type { PlanView } from '../plan/plan-view.tsx';
import { ResultPane } from '../result/result-pane.tsx';
import { placeOfKey, renderRecord, type RowOfLevel } from '../rows/row-links.ts';
import type { Store } from '../store/store.ts';
import { Deferred } from '../ui/deferred.tsx';
import { Menu } from '../ui/menu.tsx';
import { parseTarget } from '../../../src/request/target.ts';

async function loadPlan(): Promise<typeof PlanView> {
  return (await import('../plan/plan-view.tsx')).PlanView;
}

export function RequestPart({ store }: { readonly store: Store }): VNode {
  const [choice, setChoice] = useState<FormChoice | undefined>(undefined);
  const place = store.place.value;
  const { relation, overloads } = findTarget(store);
  const schema = store.known.value;
  const isWritten = relation !== undefined && (relation.may.update || relation.may.delete) && relation.key.length > 0;
  const rowMenu = (row: RowOfLevel): ComponentChildren => <RowMenu row={row} onChoose={setChoice} />;
  /** A function that may write is only called through its form. */
  const servesRequests = overloads.length === 0 || overloads.some(isCalledByGet);
  return (
    <>
      {overloads.length === 0 ? null : (
        <FunctionPanel key={overloads[0]?.name} {...{ store, overloads }} isAlone={!servesRequests} />
      )}
      {servesRequests ? (
        <ResultPane
          store={store}
          plan={<Deferred load={loadPlan} props={{ store }} />}
          actions={
            <>
              {relation === undefined ? null : <InsertButtons store={store} relation={relation} onChoose={setChoice} />}
              {place.kind === 'request' ? <SaveRequest place={place} /> : null}
              <CopyMenu store={store} />
            </>
          }
          rowMenu={isWritten ? rowMenu : undefined}
          editing={
            isWritten && schema ? createTableEditing({ store, schema, relation, onChoose: setChoice }) : undefined
          }
        />
      ) : null}
      <OpenedForm store={store} choice={choice} onDone={() => setChoice(undefined)} />
    </>
  );
}

interface Target {
  /** The relation of the rows; undefined if the schema document does not contain it. */
  readonly relation: DescribedRelation | undefined;
  /** Overloads of the called function. */
  readonly overloads: readonly DescribedFunction[];
}

const NO_TARGET: Target = { relation: undefined, overloads: [] };

function findTarget({ place, schema }: Store): Target {
  if (place.value.kind !== 'request' || schema.value.kind !== 'ready') return NO_TARGET;
  const target = parseTarget(place.value.url.split('?', 1)[0] ?? '');
  const index = schema.value.value;
  if (!target.ok || target.value.kind === 'root') return NO_TARGET;
  const { kind, name } = target.value;
  if (kind === 'relation') return { relation: index.relations.get(name), overloads: [] };
  return { relation: undefined, overloads: index.functions.get(name) ?? [] };
}

interface RowMenuProps {
  readonly row: RowOfLevel;
  readonly onChoose: (choice: FormChoice) => void;
}

function RowMenu({ row, onChoose }: RowMenuProps): VNode | null {
  const { relation } = row.level;
  const place = placeOfKey(row);
  if (relation === undefined || place === undefined) return null;
  const open = { label: 'Open', icon: 'external', onSelect: () => (location.hash = renderRecord(place)) } as const;
  const items = [open, ...listRowForms(relation, place.url, onChoose)];
  return <Menu label="Row" icon="more" isIconOnly size="small" items={items} />;
}
