// Renders the open form. A component that offers forms keeps one `FormChoice` and mounts one `OpenedForm`.
import type { VNode } from 'preact';
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { Store } from '../store/store.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Deferred } from '../ui/deferred.tsx';
import type { MenuItem } from '../ui/menu.tsx';
import { useMedia } from '../ui/use-media.ts';
import type { FormChoice } from './form-choice.ts';
import type { ChosenForm } from './chosen-form.tsx';
import { NoKey, ReadOnly } from './read-only.tsx';

export interface OpenedFormProps {
  readonly store: Store;
  readonly choice: FormChoice | undefined;
  /** Closes the form. */
  readonly onDone: () => void;
}

async function loadForm(): Promise<typeof ChosenForm> {
  return (await import('./chosen-form.tsx')).ChosenForm;
}

export function OpenedForm({ store, choice, onDone }: OpenedFormProps): VNode | null {
  return choice === undefined ? null : <Deferred load={loadForm} props={{ store, choice, onDone }} />;
}

export interface InsertButtonsProps {
  readonly store: Store;
  readonly relation: DescribedRelation;
  readonly onChoose: (choice: FormChoice) => void;
}

const BUTTONS = [
  { kind: 'insert', icon: 'plus', label: 'Insert' },
  { kind: 'upload', icon: 'upload', label: 'Import CSV' },
] as const;

/** Says so if the role can change nothing. */
export function InsertButtons({ store, relation, onChoose }: InsertButtonsProps): VNode | null {
  const isNarrow = useMedia('(max-width: 520px)');
  const { insert, update, delete: remove } = relation.may;
  const isUnkeyed = relation.key.length === 0 && (update || remove);
  if (!insert && isUnkeyed) return <NoKey relation={relation} />;
  if (!insert) return update || remove ? null : <ReadOnly store={store} relation={relation} />;
  return (
    <>
      {BUTTONS.map(({ kind, icon, label }) => {
        const shared = { size: 'small', icon, onClick: () => onChoose({ kind, relation }) } as const;
        return isNarrow ? (
          <IconButton key={kind} {...shared} label={label} />
        ) : (
          <Button key={kind} {...shared}>
            {label}
          </Button>
        );
      })}
      {isUnkeyed ? <NoKey relation={relation} /> : null}
    </>
  );
}

/** Lists the forms available for a row; none if the row has no key. */
export function listRowForms(
  relation: DescribedRelation,
  rowUrl: string | undefined,
  onChoose: (choice: FormChoice) => void,
): readonly MenuItem[] {
  if (rowUrl === undefined) return [];
  const choose = (kind: 'change' | 'copy' | 'delete') => () => onChoose({ kind, relation, rowUrl });
  return [
    ...(relation.may.update ? [{ label: 'Edit', icon: 'edit', onSelect: choose('change') } as const] : []),
    ...(relation.may.insert ? [{ label: 'Duplicate', icon: 'copy', onSelect: choose('copy') } as const] : []),
    ...(relation.may.delete
      ? [{ label: 'Delete', icon: 'trash', isDangerous: true, onSelect: choose('delete') } as const]
      : []),
  ];
}
