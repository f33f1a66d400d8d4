// Statements that a schema file must not contain, with what to write instead (`project.md` §1 item 4, §2 item 10).

interface Refusal {
  readonly message: string;
  readonly hint: string;
}

/** Of a file that runs in one transaction with others. */
export const TRANSACTION: Refusal = {
  message: 'a file must not begin or end a transaction',
  hint: 'All files run in one transaction already: omit this statement.',
};
const CLUSTER: Refusal = {
  message: 'this statement concerns the whole server, not the schema',
  hint: 'Run it once with psql.',
};
const DATA: Refusal = {
  message: 'schema/ describes the schema, and this statement changes rows',
  hint: 'Move it to a file in seed/.',
};

/** Statements that begin or end a transaction or a part of it. */
export const TRANSACTION_STATEMENT: RegExp =
  /^(?:(?:begin|start\s+transaction|commit|end|rollback|abort|savepoint|release|prepare\s+transaction)\b|set\s+(?:transaction|session\s+characteristics)\b)/iu;

/** By their first words. Comments between them are rare enough to be left to PostgreSQL. */
const REFUSALS: readonly (readonly [pattern: RegExp, refusal: Refusal])[] = [
  [TRANSACTION_STATEMENT, TRANSACTION],
  [
    /^create\s+(?:unique\s+)?index\s+concurrently\b/iu,
    {
      message: '`create index concurrently` cannot run in a transaction',
      hint: 'Write `create index` here. `rowhouse diff` writes `concurrently` into the migration.',
    },
  ],
  [
    /^drop\s+index\s+concurrently\b/iu,
    {
      message: '`drop index concurrently` cannot run in a transaction',
      hint: 'Remove the `create index` statement instead: the files describe the schema as it should be.',
    },
  ],
  [
    /^reindex\b/iu,
    { message: 'a schema file describes objects, and REINDEX changes none', hint: 'Run it once with psql.' },
  ],
  [/^(?:create|drop|alter)\s+(?:database|tablespace)\b/iu, CLUSTER],
  [/^alter\s+system\b/iu, CLUSTER],
  [/^(?:vacuum|cluster|checkpoint|discard)\b/iu, CLUSTER],
  [
    /^(?:create|drop|alter)\s+(?:role|user|group)\b(?!\s+mapping)/iu,
    { message: 'roles belong to the whole server, not to the schema', hint: 'Move this statement to roles.sql.' },
  ],
  [
    /^(?:grant|revoke)\b(?![^]*\son\s)/iu,
    {
      message: 'memberships of roles belong to the whole server, not to the schema',
      hint: 'Move this statement to roles.sql.',
    },
  ],
  [/^(?:insert|update|delete|merge|truncate|copy)\b/iu, DATA],
];

/** @param statement begins with its first word */
export function refuseStatement(statement: string): Refusal | undefined {
  return REFUSALS.find(([pattern]) => pattern.test(statement))?.[1];
}
