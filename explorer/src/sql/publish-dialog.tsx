// The dialog that makes a query a view or a function: asks for its name, schema and roles, shows the exact SQL, and runs
// it on confirmation.
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { ConsoleOutcome } from '../client/console.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { encodeSegment } from '../url-state/readable-text.ts';
import { copyText } from '../copy/copy-text.ts';
import { listRoles, useAccess } from '../store/use-access.ts';
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
  const [chosen, setRoles] = useState<readonly string[] | undefined>(undefined);
  const [outcome, setOutcome] = useState<ConsoleOutcome | undefined>(undefined);
  const [isRunning, setRunning] = useState(false);
  const { roles: known, runner, owners, defaults } = useCatalog(store);
  const byDefault = defaults.filter((one) => one.kind === kind && one.schema === schema).map(({ role }) => role);
  const roles = chosen ?? byDefault;
  const shownName = name === '' ? 'name' : name;
  const sql = renderPublication({ kind, name: shownName, schema, parameters, roles, byDefault, ...query });
  const create = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (name === '' || isRunning) return;
    setRunning(true);
    setOutcome(undefined);
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
      hasInput={name !== '' || parameters !== '' || chosen !== undefined}
      width="wide"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button icon="copy" disabled={name === ''} onClick={() => void copyText(sql)}>
            Copy the SQL
          </Button>
          {/* Not disabled while it runs, which would lose the focus. */}
          <Button variant="primary" type="submit" form="publish-form" disabled={name === ''} aria-busy={isRunning}>
            Create the {kind}
          </Button>
        </>
      }
    >
      <form id="publish-form" class="ui-stack ui-gap-4" onSubmit={(event) => void create(event)}>
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
          <p>{runner === undefined ? 'The login role' : <bdi>{runner}</bdi>} runs this SQL:</p>
          <pre tabIndex={0} aria-label="SQL to run">
            {sql}
          </pre>
        </div>
        {outcome === undefined || outcome.kind === 'done' ? null : (
          <Failure {...{ outcome, schema, runner }} owner={owners.get(schema)} />
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

interface FailureProps {
  readonly outcome: Exclude<ConsoleOutcome, { readonly kind: 'done' }>;
  readonly schema: string;
  /** The role that ran the SQL. */
  readonly runner: string | undefined;
  /** The owner of the schema. */
  readonly owner: string | undefined;
}

/** Insufficient privilege. */
const DENIED = '42501';

function Failure({ outcome, schema, runner = 'the login role', owner }: FailureProps): VNode {
  const isDenied = outcome.kind === 'failed' && outcome.code === DENIED;
  return (
    <Notice
      tone="danger"
      title={<bdi>{outcome.message}</bdi>}
      hint={outcome.kind === 'failed' && !isDenied ? outcome.hint : undefined}
    >
      {isDenied ? (
        <p>
          The role {runner} may not create it. Copy the SQL and run it
          {owner === undefined
            ? ` as the owner of the schema ${schema}`
            : ` as ${owner}, the owner of the schema ${schema}`}
          , or start rowhouse dev with --inspect-uri and the connection of that role.
        </p>
      ) : null}
    </Notice>
  );
}

/** What the dialog reads of the database. */
interface Catalog {
  /** Those of requests. */
  readonly roles: readonly string[];
  /** The role that publishes; undefined until it is known. */
  readonly runner: string | undefined;
  /** By schema. */
  readonly owners: ReadonlyMap<string, string>;
  /** Who gets privileges on what the runner creates. */
  readonly defaults: readonly DefaultPrivilege[];
}

interface DefaultPrivilege {
  readonly kind: string;
  readonly schema: string;
  readonly role: string;
}

/** Nobody logs in as pg_database_owner, which stands for the owner of the database. */
const OWNERS_SQL = `SELECT nspname, pg_catalog.pg_get_userbyid(
    CASE nspowner WHEN 'pg_database_owner'::pg_catalog.regrole THEN datdba ELSE nspowner END)
  FROM pg_catalog.pg_namespace JOIN pg_catalog.pg_database ON datname = pg_catalog.current_database()`;

/** Default privileges without a schema hold in each. */
const DEFAULTS_SQL = `SELECT DISTINCT CASE defaclobjtype WHEN 'r' THEN 'view' ELSE 'function' END, nspname, rolname
  FROM pg_catalog.pg_default_acl
  JOIN pg_catalog.pg_namespace AS namespace ON defaclnamespace IN (0, namespace.oid)
  CROSS JOIN pg_catalog.aclexplode(defaclacl) JOIN pg_catalog.pg_roles AS role ON role.oid = grantee
  WHERE defaclobjtype IN ('r', 'f') AND grantee <> defaclrole
    AND defaclrole = pg_catalog.to_regrole(pg_catalog.quote_ident(current_user))
  ORDER BY 3`;
const NOTHING: Omit<Catalog, 'roles'> = { runner: undefined, owners: new Map(), defaults: [] };

function useCatalog(store: Store): Catalog {
  const [found, setFound] = useState(NOTHING);
  const access = useAccess(store, 0);
  useEffect(() => {
    void sendRun(store, { sql: `${OWNERS_SQL};${DEFAULTS_SQL}`, changes: false, as: 'login' }).then((outcome) => {
      if (outcome.kind !== 'done') return;
      const [owners, defaults] = outcome.results;
      setFound({
        runner: outcome.role,
        owners: new Map(owners?.rows.map(([schema, owner]) => [schema ?? '', owner ?? ''] as const)),
        defaults: defaults?.rows.map((row) => ({ kind: row[0] ?? '', schema: row[1] ?? '', role: row[2] ?? '' })) ?? [],
      });
    });
  }, [store]);
  const roles = access.kind === 'ready' ? listRoles(access.value).map(({ name }) => name) : [];
  return { roles, ...found };
}

function placeOf(
  { kind, name, schema }: Pick<Publication, 'kind' | 'name' | 'schema'>,
  schemas: readonly string[],
): Parameters<Store['go']>[0] {
  const url = `${kind === 'view' ? '/' : '/rpc/'}${encodeSegment(name)}`;
  return { kind: 'request', schema: schema === schemas[0] ? undefined : schema, url, view: 'table' };
}
