// The identity of an object of a schema, and its name for people.
import type { FactBase } from '@supabase/pg-delta/core';
import { escapeIdentifier } from 'pg';
import { LIVE_PUBLICATION } from '../../../src/extensions/live/publication.ts';

export type ObjectId = Parameters<FactBase['get']>[0];

export type TableId = ObjectId & { readonly kind: 'table' };
export type ColumnId = ObjectId & { readonly kind: 'column' };

export function isTableId(id: ObjectId): id is TableId {
  return id.kind === 'table';
}

export function isColumnId(id: ObjectId): id is ColumnId {
  return id.kind === 'column';
}

/** Renders the name of an object of a schema for a statement. */
export function quoteName(schema: string, name: string): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
}

/** The schema in which Rowhouse keeps its own objects: idempotency keys, the function of the reload trigger. */
const OWN_SCHEMA = 'rowhouse';
const OWN_TRIGGERS: ReadonlySet<string> = new Set(['rowhouse_change', 'rowhouse_drop']);
/** The extensions that say on which servers rows are, which is no part of a schema. Distributed tables depend on them. */
export const CITUS: readonly string[] = ['citus', 'citus_columnar'];

/** Whether no file of a project is to say that the object exists (`project.md` §3 item 2). */
export function isLeftOut(id: ObjectId): boolean {
  if ('target' in id) return isLeftOut(id.target);
  if (id.kind === 'extension') return CITUS.includes(id.name);
  if (id.kind === 'schema') return id.name === OWN_SCHEMA;
  if (id.kind === 'eventTrigger') return OWN_TRIGGERS.has(id.name);
  if (id.kind === 'publication') return id.name === LIVE_PUBLICATION;
  if ('publication' in id) return id.publication === LIVE_PUBLICATION;
  return 'schema' in id && id.schema === OWN_SCHEMA;
}

/** Names of kinds as people call them. */
const KIND_NAMES: Readonly<Partial<Record<ObjectId['kind'], string>>> = {
  materializedView: 'materialized view',
  foreignTable: 'foreign table',
  eventTrigger: 'event trigger',
  fdw: 'foreign data wrapper',
  userMapping: 'user mapping',
  typeAttribute: 'attribute',
  publicationRel: 'table of publication',
  publicationSchema: 'schema of publication',
  acl: 'privileges on',
  comment: 'comment on',
  securityLabel: 'security label of',
  defaultPrivilege: 'default privileges of',
  extensionIntent: 'data of extension',
};

/** `table orders`, `column orders.total`, `policy own_orders`; with the schema only if it is none of those named. */
export function describeObject(id: ObjectId, plainSchemas: ReadonlySet<string>): string {
  const kind = KIND_NAMES[id.kind] ?? id.kind;
  if ('target' in id) return `${kind} ${describeObject(id.target, plainSchemas)}`;
  return `${kind} ${nameOf(id, plainSchemas)}`;
}

function nameOf(id: ObjectId, plainSchemas: ReadonlySet<string>): string {
  const at = 'schema' in id && id.schema !== null && !plainSchemas.has(id.schema) ? `${id.schema}.` : '';
  if (id.kind === 'membership') return `${id.role} to ${id.member}`;
  if (id.kind === 'userMapping') return `${id.role} on ${id.server}`;
  if (id.kind === 'publicationRel') return `${id.publication}: ${at}${id.table}`;
  if (id.kind === 'publicationSchema') return `${id.publication}: ${id.schema}`;
  if (id.kind === 'defaultPrivilege') return id.role;
  if (id.kind === 'extensionIntent') return id.ext;
  if (id.kind === 'typeAttribute') return `${at}${id.type}.${id.name}`;
  return at + nameInSchema(id);
}

function nameInSchema(id: ObjectId): string {
  const name = 'name' in id ? id.name : '';
  const isOfTable = id.kind === 'column' || id.kind === 'default' || id.kind === 'constraint';
  return isOfTable ? `${id.table}.${name}` : name;
}
