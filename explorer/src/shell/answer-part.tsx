// The answer to the request of the place with all that can be done there: rows written by forms, a function called by its
// form, the request copied.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { CopyMenu } from '../copy/copy-menu.tsx';
import { type FormChoice, InsertButtons, listRowForms, OpenedForm } from '../forms/opened-form.tsx';
import { PlanView } from '../plan/plan-view.tsx';
import { ResultPane } from '../result/result-pane.tsx';
import { placeOfKey, type RowOfLevel } from '../result/row-links.ts';
import type { Store } from '../store/store.ts';
import { Menu } from '../ui/menu.tsx';
import { CallPart } from './call-part.tsx';
import { isCallOf, nameAt } from './entries.ts';

export function AnswerPart({ store }: { readonly store: Store }): VNode {
  const choice = useSignal<FormChoice | undefined>(undefined);
  const place = store.place.value;
  const schema = store.schema.value.kind === 'ready' ? store.schema.value.value : undefined;
  const name = nameAt(place) ?? '';
  const choose = (next: FormChoice): void => {
    choice.value = next;
  };
  const done = (hasWritten: boolean): void => {
    choice.value = undefined;
    if (hasWritten) store.run();
  };
  const functions = isCallOf(place) ? schema?.functions.get(name) : undefined;
  const relation = isCallOf(place) ? undefined : schema?.relations.get(name);
  const canWriteRows = relation?.may.update === true || relation?.may.delete === true;
  const isCalled = functions === undefined || store.exchange.value !== undefined;
  return (
    <>
      {functions === undefined ? null : <CallPart key={name} store={store} functions={functions} />}
      {isCalled ? (
        <ResultPane
          store={store}
          plan={<PlanView store={store} />}
          rowMenu={canWriteRows ? (row) => <RowMenu row={row} onChoose={choose} /> : undefined}
          actions={
            <>
              <CopyMenu store={store} />
              {relation === undefined ? null : <InsertButtons relation={relation} onChoose={choose} />}
            </>
          }
        />
      ) : null}
      <OpenedForm store={store} choice={choice.value} onDone={done} />
    </>
  );
}

interface RowMenuProps {
  readonly row: RowOfLevel;
  readonly onChoose: (choice: FormChoice) => void;
}

function RowMenu({ row, onChoose }: RowMenuProps): VNode | null {
  const { relation } = row.level;
  const items = relation === undefined ? [] : listRowForms(relation, placeOfKey(row)?.url, onChoose);
  return items.length === 0 ? null : <Menu label="Write this row" isIconOnly size="small" items={items} />;
}
