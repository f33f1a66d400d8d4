// The start page of a role that can access nothing in the schema: why, and the SQL that changes it.
import type { VNode } from 'preact';
import { spellIdentifier } from '../../../src/contract/identifiers.ts';
import type { SchemaDocument } from '../../../src/contract/schema-document.ts';
import type { Store } from '../store/store.ts';
import { useAccess } from '../store/use-access.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/notice.tsx';
import { Code } from '../ui/text.tsx';
import { renderPlace } from '../url-state/place.ts';

interface NoAccessProps {
  readonly store: Store;
  readonly document: Pick<SchemaDocument, 'role' | 'schema' | 'features'>;
  readonly onOpenToken: () => void;
}

export function NoAccess({ store, document: { role, schema, features }, onOpenToken }: NoAccessProps): VNode {
  const hasToken = store.token.value !== undefined;
  const access = useAccess(store, features.console === true ? 0 : undefined);
  const isLogin = access.kind === 'ready' && access.value.roles.some((one) => one.name === role && one.isLogin);
  return (
    <EmptyState
      icon="lock"
      title={<h1>Nothing is visible to this role</h1>}
      action={
        <>
          <Button variant="primary" icon="key" onClick={onOpenToken}>
            {hasToken ? 'Enter another token' : 'Enter a token'}
          </Button>
          {features.console === true ? (
            <a
              class="ui-button ui-button-default"
              href={renderPlace({ kind: 'sql', schema: store.place.value.schema })}
            >
              Run SQL
            </a>
          ) : null}
          <Button icon="refresh" onClick={() => store.reload()}>
            Refresh
          </Button>
        </>
      }
    >
      <p>
        {hasToken ? 'This token has the role ' : 'Without a token, you have the role '}
        <Code>{role}</Code>, which can access nothing in the schema <Code>{schema}</Code>.{' '}
        {isLogin
          ? 'Servers log in as this role. It needs no privileges, because requests run as the roles that it may assume. Use a token of one of them.'
          : 'Use a token of another role, or change the schema:'}
      </p>
      {isLogin ? null : (
        <>
          <Sql title="If it is empty, create a table.">{createTable(schema)}</Sql>
          <Sql title="If it has tables, grant privileges.">{grantSelect(schema, role)}</Sql>
        </>
      )}
    </EmptyState>
  );
}

function Sql({ title, children }: { readonly title: string; readonly children: string }): VNode {
  return (
    <>
      <p class="start-sql-title">{title}</p>
      <pre class="start-sql" tabIndex={0} aria-label={title}>
        {children}
      </pre>
    </>
  );
}

function createTable(schema: string): string {
  const columns = '  id integer generated always as identity primary key,\n  body text';
  return `create table ${spellIdentifier(schema)}.notes (\n${columns}\n);`;
}

function grantSelect(schema: string, role: string): string {
  return `grant select on all tables in schema ${spellIdentifier(schema)} to ${spellIdentifier(role)};`;
}
