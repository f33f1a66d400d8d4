// The dialog that makes a query a view or a function: asks for its name, schema and roles, shows the exact SQL, and runs
// it on confirmation.
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { ConsoleOutcome } from '../client/console.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { encodeSegment } from '../url-state/readable-text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { showToast } from '../ui/toast.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import type { Query } from './past-run.ts';
import { type Publication, renderPublication } from './publication.ts';
import { sendRun } from './send-run.ts';

interface PublishDialogProps {
  readonly store: Store;
  readonly schema: SchemaIndex;
  readonly kind: Publication['kind'];
  readonly query: Query;
  readonly onClose: () => void;
}

export function PublishDialog({ store, schema: { document }, kind, query, onClose }: PublishDialogProps): VNode {
  const [name, setName] = useState('');
  const [schema, setSchema] = useState(document.schema);
  const [parameters, setParameters] = useState('');
  const [roles, setRoles] = useState<readonly string[]>([]);
  const [outcome, setOutcome] = useState<ConsoleOutcome | undefined>(undefined);
  const [isRunning, setRunning] = useState(false);
  const known = useRoles(store);
  const sql = renderPublication({ kind, name: name === '' ? 'name' : name, schema, parameters, roles, ...query });
  const create = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (name === '' || isRunning) return;
    setRunning(true);
    const ended = await sendRun(store, { sql, changes: true, as: 'login' });
    setRunning(false);
    setOutcome(ended);
    if (ended.kind !== 'done') return;
    onClose();
    showToast(`The ${kind} ${name} was created.`);
    store.refresh(() => store.go(placeOf({ kind, name, schema }, document.schemas)));
  };
  return (
    <Dialog
      title={kind === 'view' ? 'Make it a view' : 'Make it a function'}
      isOpen
      onClose={onClose}
      width="wide"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form="publish-form" disabled={name === '' || isRunning}>
            Create the {kind}
          </Button>
        </>
      }
    >
      <form id="publish-form" class="sql-form" onSubmit={(event) => void create(event)}>
        <TextField label="Name" value={name} onValue={setName} isMono required />
        <SelectField
          label="Schema"
          value={schema}
          options={document.schemas.map((value) => ({ value, label: value }))}
          onValue={setSchema}
        />
        {kind === 'view' ? null : (
          <TextField
            label="Arguments (SQL)"
            value={parameters}
            onValue={setParameters}
            isMono
            placeholder="min_age integer"
            hint="The query can use them by name."
          />
        )}
        <RoleList {...{ kind, known, roles }} onRoles={setRoles} />
        <div class="sql-preview">
          <p>The login role runs this SQL:</p>
          <pre tabIndex={0} aria-label="SQL to run">
            {sql}
          </pre>
        </div>
        {outcome === undefined || outcome.kind === 'done' ? null : (
          <Notice
            tone="danger"
            title={<bdi>{outcome.message}</bdi>}
            hint={outcome.kind === 'failed' ? outcome.hint : undefined}
          />
        )}
      </form>
    </Dialog>
  );
}

interface RoleListProps extends Pick<Publication, 'kind' | 'roles'> {
  readonly known: readonly string[];
  readonly onRoles: (roles: readonly string[]) => void;
}

function RoleList({ kind, known, roles, onRoles }: RoleListProps): VNode | null {
  if (known.length === 0) return null;
  return (
    <fieldset class="sql-roles">
      <legend>{kind === 'view' ? 'Roles that may read it' : 'Roles that may call it'}</legend>
      {known.map((role) => (
        <Checkbox
          key={role}
          label={<bdi>{role}</bdi>}
          isChecked={roles.includes(role)}
          onChange={(isChecked) => onRoles(isChecked ? [...roles, role] : roles.filter((one) => one !== role))}
        />
      ))}
    </fieldset>
  );
}

/** The roles that requests can have: those that the login role may assume. */
const ROLES_SQL = `SELECT rolname FROM pg_catalog.pg_roles
WHERE pg_has_role(session_user, oid, 'member') AND NOT rolsuper AND rolname <> session_user AND rolname !~ '^pg_'
ORDER BY rolname LIMIT 100`;

function useRoles(store: Store): readonly string[] {
  const [roles, setRoles] = useState<readonly string[]>([]);
  useEffect(() => {
    void sendRun(store, { sql: ROLES_SQL, changes: false, as: 'login' }).then((outcome) => {
      if (outcome.kind === 'done') setRoles(outcome.results[0]?.rows.flatMap(([name]) => name ?? []) ?? []);
    });
  }, [store]);
  return roles;
}

function placeOf(
  { kind, name, schema }: Pick<Publication, 'kind' | 'name' | 'schema'>,
  schemas: readonly string[],
): Parameters<Store['go']>[0] {
  const url = `${kind === 'view' ? '/' : '/rpc/'}${encodeSegment(name)}`;
  return { kind: 'request', schema: schema === schemas[0] ? undefined : schema, url, view: 'table' };
}
