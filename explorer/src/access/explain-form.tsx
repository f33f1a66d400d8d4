// The question why a role sees, or can insert or change a row or not: the key of the row or its values, the role, its claims,
// and the action.
import type { VNode } from 'preact';
import {
  type AccessDocument,
  type AccessRelation,
  ROW_ACTIONS,
  type RowAction,
} from '../../../src/contract/access-document.ts';
import { parseClaims } from '../tokens/parse-claims.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextArea, TextField } from '../ui/field.tsx';
import { parseJsonObject } from '../../../src/util/json-object.ts';

export interface Draft {
  readonly key: Readonly<Record<string, string>>;
  readonly role: string;
  readonly claims: string;
  readonly action: RowAction;
  /** The values of a row to insert, as JSON. */
  readonly proposed: string;
}

const ACTION_LABELS: Readonly<Record<RowAction, string>> = {
  select: 'See the row',
  insert: 'Insert the row',
  update: 'Change the row',
  delete: 'Delete the row',
};

export interface ExplainFormProps {
  readonly document: AccessDocument;
  readonly relation: AccessRelation;
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly onAsk: () => void;
}

export function ExplainForm({ document, relation, draft, onDraft, onAsk }: ExplainFormProps): VNode {
  const parsed = parseClaims(draft.claims);
  const isInsert = draft.action === 'insert';
  const columns = isInsert ? [] : columnsOf(relation, draft);
  const hasRow = isInsert ? parseJsonObject(draft.proposed) !== undefined : true;
  const isReady = parsed.kind === 'claims' && hasRow && columns.every((column) => draft.key[column] !== undefined);
  return (
    <form
      class="ui-stack ui-gap-4 access-question"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onAsk();
      }}
    >
      {isInsert ? (
        <TextArea
          label="Row to insert (JSON)"
          value={draft.proposed}
          onValue={(proposed) => onDraft({ ...draft, proposed })}
          rows={4}
          isMono
          {...(hasRow ? {} : { error: 'Enter an object of JSON, with the columns as names.' })}
        />
      ) : null}
      {isInsert || relation.key.length > 0 ? null : (
        <SelectField
          label="Column that identifies the row"
          value={columns[0] ?? ''}
          options={relation.columns.map((name) => ({ value: name, label: name }))}
          onValue={(name) => onDraft({ ...draft, key: { [name]: '' } })}
        />
      )}
      {columns.map((column) => (
        <TextField
          key={column}
          label={column}
          isMono
          value={draft.key[column] ?? ''}
          onValue={(value) => onDraft({ ...draft, key: { ...draft.key, [column]: value } })}
        />
      ))}
      <SelectField
        label="Role"
        value={draft.role}
        options={document.roles.map(({ name }) => ({ value: name, label: name }))}
        onValue={(role) => onDraft({ ...draft, role })}
      />
      <SelectField
        label="Action"
        value={draft.action}
        options={ROW_ACTIONS.map((action) => ({ value: action, label: ACTION_LABELS[action] }))}
        onValue={(value) => onDraft({ ...draft, action: ROW_ACTIONS.find((one) => one === value) ?? 'select' })}
      />
      <TextArea
        label="Claims of the token (JSON)"
        value={draft.claims}
        onValue={(claims) => onDraft({ ...draft, claims })}
        rows={2}
        isMono
        placeholder='{"sub": "1"}'
        {...(parsed.kind === 'wrong' ? { error: parsed.message } : {})}
      />
      <div>
        <Button type="submit" variant="primary" icon="search" disabled={!isReady}>
          Explain
        </Button>
      </div>
    </form>
  );
}

/** A view has no key: any column may identify a row. */
export function columnsOf(relation: AccessRelation, { key }: Pick<Draft, 'key'>): readonly string[] {
  if (relation.key.length > 0) return relation.key;
  const named = Object.keys(key).filter((column) => relation.columns.includes(column));
  return named.length > 0 ? named : relation.columns.slice(0, 1);
}
