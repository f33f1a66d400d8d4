// Renders the main statement that describes a schema (`operating.md` §12.1). Its result is not sent to the client but
// read by `openapi/describe-schema.ts`.
import { renderSchemaVisibilitySql } from '../catalog/introspect/schema-visibility.sql.ts';
import type { MainStatement } from '../contract/transaction.ts';
import type { DescribeAction } from '../plan/actions/action-plan.ts';

/** @param renderQuery the query whose result is the body; by default, what a role may see of the schema */
export function renderVisibility(
  { schema, mode }: Pick<DescribeAction, 'schema' | 'mode'>,
  renderQuery: (schema: string) => string = renderSchemaVisibilitySql,
): MainStatement {
  const isLive = mode === 'follow-privileges';
  const body = isLive ? `(${renderQuery(schema)})` : 'null';
  return {
    text: `select 0::bigint as "page_rows", null::bigint as "total",
  nullif(current_setting('response.headers', true), '') as "response_headers",
  nullif(current_setting('response.status', true), '') as "response_status", ${body}::text as "body"`,
    parameters: isLive ? [schema] : [],
    delivery: { kind: 'value', encoding: 'text' },
  };
}
