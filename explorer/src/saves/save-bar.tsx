// The bar of `rowhouse dev` above the page: what is wrong with a save, the question about it, and what it has changed in
// the place that is open. Loaded on demand, because no other server has saves.
import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { render, type VNode } from 'preact';
import type { FileProblem, SaveState } from '../../../src/contract/dev-news.ts';
import { copyText } from '../copy/copy-text.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { findNoticeSlot } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { renderPlace } from '../url-state/place.ts';
import { followNews } from './follow-news.ts';
import { findPlaceChange, type PlaceChange } from './place-change.ts';
import { AskAgain, QuestionNotice } from './question-notice.tsx';
import './saves.css';

export interface SaveBarProps {
  readonly store: Store;
}

export function SaveBar({ store }: SaveBarProps): VNode {
  const save = useSaves(store);
  const [change, forget] = usePlaceChange(store);
  const isEmpty = save.kind === 'none' && change === undefined;
  useNoticeInDialog(store, save);
  return (
    <section
      class="ui-stack ui-gap-3 save-bar"
      aria-label="Saves of the project"
      aria-live="assertive"
      hidden={isEmpty}
    >
      <SaveNotice {...{ store, save }} />
      {change === undefined ? null : <ChangeNotice {...{ store, change }} onDismiss={forget} />}
    </section>
  );
}

/** A modal dialog covers the bar, so it shows the state of the save itself. */
function useNoticeInDialog(store: Store, save: SaveState): void {
  const slot = findNoticeSlot();
  useEffect(() => {
    if (slot === undefined || save.kind === 'none') return undefined;
    render(<SaveNotice {...{ store, save }} />, slot);
    return () => render(null, slot);
  }, [store, slot, save]);
}

/** Reads the description of the schema again after each load. */
function useSaves(store: Store): SaveState {
  const [save, setSave] = useState<SaveState>({ kind: 'none' });
  const schema = useRef<string | undefined>(undefined);
  useEffect(
    () =>
      followNews((news) => {
        setSave(news.save);
        if (news.schema !== schema.current) store.refresh();
        schema.current = news.schema;
      }),
    [store],
  );
  return save;
}

/** Compares descriptions while the same place is open. */
function usePlaceChange(store: Store): [change: PlaceChange | undefined, forget: () => void] {
  const [change, setChange] = useState<PlaceChange | undefined>(undefined);
  const last = useRef<{ readonly place: string; readonly index: SchemaIndex } | undefined>(undefined);
  useSignalEffect(() => {
    const { value: schema } = store.schema;
    const place = store.place.value;
    if (schema.kind !== 'ready') return;
    const now = { place: renderPlace(place), index: schema.value };
    const before = last.current;
    last.current = now;
    if (before?.place !== now.place) setChange(undefined);
    else if (before.index !== now.index) setChange(findPlaceChange(before.index, now.index, place));
  });
  return [change, () => setChange(undefined)];
}

function SaveNotice({ store, save }: SaveBarProps & { readonly save: SaveState }): VNode | null {
  switch (save.kind) {
    case 'none':
      return null;
    case 'broken':
      return (
        <Notice tone="danger" title="A file of the project is broken." hint="The previous schema stays in use.">
          {save.problems.map((problem, index) => (
            <Problem key={index} {...problem} />
          ))}
        </Notice>
      );
    case 'unapplied':
      return (
        <Notice
          tone="danger"
          title="The last save was not applied."
          action={save.isRefused === true ? <AskAgain {...{ store }} /> : undefined}
        >
          <p class="save-reason">{save.reason}</p>
        </Notice>
      );
    case 'question':
      return <QuestionNotice key={save.id} {...{ store, ...save }} />;
  }
}

function Problem({ position, column, message, source, detail, hint }: FileProblem): VNode {
  return (
    <div class="ui-stack ui-gap-2 save-problem">
      <p>
        {position === undefined ? null : (
          <code>
            {position}
            {column === undefined ? '' : `:${column}`}
          </code>
        )}{' '}
        <bdi>{message}</bdi>
      </p>
      {source.length === 0 ? null : <Lines text={source.join('\n')} />}
      {[detail && `DETAIL: ${detail}`, hint && `HINT: ${hint}`].map((note) =>
        note ? (
          <p key={note} dir="auto">
            {note}
          </p>
        ) : null,
      )}
      {position === undefined ? null : (
        <Button size="small" icon="copy" onClick={() => void copyText(position)}>
          Copy {position}
        </Button>
      )}
    </div>
  );
}

/** Long lines scroll, also with the keyboard. */
function Lines({ text }: { readonly text: string }): VNode {
  return (
    <pre class="save-lines" tabIndex={0}>
      {text}
    </pre>
  );
}

interface ChangeNoticeProps extends SaveBarProps {
  readonly change: PlaceChange;
  readonly onDismiss: () => void;
}

function ChangeNotice({ store, change: { name, kind, removed, added }, onDismiss }: ChangeNoticeProps): VNode {
  const runAgain = (): void => {
    onDismiss();
    store.run();
  };
  const isLoss = kind === 'gone' || removed.length > 0;
  return (
    <Notice
      tone={isLoss ? 'warning' : 'info'}
      title={
        <>
          <bdi>{name}</bdi> {kind === 'gone' ? 'is no longer in the API.' : 'has changed.'}
        </>
      }
      hint={kind === 'gone' ? 'What you see was read before.' : undefined}
      action={
        <>
          {kind === 'changed' && store.canRun.value ? (
            <Button size="small" icon="refresh" onClick={runAgain}>
              Run again
            </Button>
          ) : null}
          <Button size="small" onClick={onDismiss}>
            Dismiss
          </Button>
        </>
      }
    >
      {removed.length === 0 ? null : <p>Columns that are gone: {removed.join(', ')}</p>}
      {added.length === 0 ? null : <p>New columns: {added.join(', ')}</p>}
    </Notice>
  );
}
