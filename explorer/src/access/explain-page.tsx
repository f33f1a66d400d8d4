// The page that explains why a role sees a row or not, or why it cannot insert or change it, step by step.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import {
  ACCESS_PATHS,
  type AccessDocument,
  type AccessRelation,
  type RowAction,
  type RowExplanation,
  type RowQuestion,
} from '../../../src/contract/access-document.ts';
import type { Store } from '../store/store.ts';
import { useAnswer } from '../store/use-answer.ts';
import { decodeToken } from '../tokens/decode-token.ts';
import { parseClaims } from '../tokens/parse-claims.ts';
import { EmptyState } from '../ui/notice.tsx';
import { PageHead, PageLink } from '../ui/page.tsx';
import { Spinner } from '../ui/text.tsx';
import type { PagePlace } from '../url-state/place.ts';
import { encodeSegment } from '../url-state/readable-text.ts';
import { AccessGate, Failure } from './access-gate.tsx';
import { columnsOf, type Draft, ExplainForm } from './explain-form.tsx';
import { ExplanationView } from './explanation-view.tsx';
import { parseRowAddress, renderRowAddress } from '../url-state/row-address.ts';
import { type Answer, readAnswer } from '../store/use-access.ts';
import { parseJsonObject } from '../../../src/util/json-object.ts';

export interface ExplainPageProps {
  readonly store: Store;
  readonly place: PagePlace;
}

export function ExplainPage({ store, place }: ExplainPageProps): VNode {
  const { relation, action = 'select' } = parseRowAddress(place.url);
  const { schema } = place;
  return (
    <article class="ui-page access">
      <PageHead kind={`Row of ${relation}`} title={TITLES[action]}>
        <PageLink icon="shield" label="Access" place={{ kind: 'access', schema, focus: relation }} />
        <PageLink
          icon="table"
          label="Table"
          place={{ kind: 'request', schema, url: `/${encodeSegment(relation)}?limit=50`, view: 'table' }}
        />
      </PageHead>
      <AccessGate store={store} version={0}>
        {(document) => {
          const known = document.relations.find(({ name }) => name === relation);
          return known === undefined ? (
            <EmptyState icon="search" title={`The schema has no table or view ${relation}.`} />
          ) : (
            <Question {...{ store, place, document }} relation={known} />
          );
        }}
      </AccessGate>
    </article>
  );
}

const TITLES: Readonly<Record<RowAction, string>> = {
  select: 'Can a role see this row?',
  insert: 'Can a role insert this row?',
  update: 'Can a role change this row?',
  delete: 'Can a role delete this row?',
};

interface QuestionProps extends ExplainPageProps {
  readonly document: AccessDocument;
  readonly relation: AccessRelation;
}

function Question({ store, place, document, relation }: QuestionProps): VNode {
  const [draft, setDraft] = useState(() => startDraft(store, place, document));
  const [question, setQuestion] = useState(() => buildQuestion(document, relation, draft));
  const ask = (): void => {
    const next = buildQuestion(document, relation, draft);
    setQuestion(next);
    const proposed = next?.action === 'insert' ? draft.proposed : undefined;
    if (next !== undefined) store.go({ ...place, url: renderRowAddress({ ...next, proposed }) }, 'replace');
  };
  const answer = useExplanation(store, question);
  return (
    <>
      <ExplainForm {...{ document, relation, draft }} onDraft={setDraft} onAsk={ask} />
      {question === undefined ? null : <Outcome {...{ store, answer }} schema={document.schema} />}
    </>
  );
}

interface OutcomeProps {
  readonly store: Store;
  readonly schema: string;
  readonly answer: Answer<RowExplanation>;
}

function Outcome({ store, schema, answer }: OutcomeProps): VNode {
  switch (answer.kind) {
    case 'loading':
      return <Spinner label="Evaluating the policies" />;
    case 'failed':
      return <Failure store={store} exchange={answer.exchange} />;
    case 'ready':
      return <ExplanationView explanation={answer.value} schema={schema} />;
  }
}

/** Starts with the role of the address, or else with that of the current token, and with the claims of the token. */
function startDraft(store: Store, { url }: PagePlace, { roles }: AccessDocument): Draft {
  const token = decodeToken(store.token.peek() ?? '');
  const { key, role: stated, action = 'select', proposed = '{}' } = parseRowAddress(url);
  const role = roles.find(({ name }) => name === (stated ?? store.known.peek()?.document.role)) ?? roles[0];
  const claims = token.kind === 'token' ? withoutTimes(token.claims) : {};
  const text = Object.keys(claims).length === 0 ? '' : JSON.stringify(claims);
  return { key, role: role?.name ?? '', claims: text, action, proposed };
}

function withoutTimes({
  exp: _exp,
  iat: _iat,
  nbf: _nbf,
  role: _role,
  ...claims
}: Readonly<Record<string, unknown>>): object {
  return claims;
}

/** Returns undefined if the key or the row is incomplete. */
function buildQuestion(
  { schema }: AccessDocument,
  relation: AccessRelation,
  { key, role, claims, action, proposed: text }: Draft,
): RowQuestion | undefined {
  const parsed = parseClaims(claims);
  const asked = { schema, relation: relation.name, role, action };
  if (parsed.kind !== 'wrong' && action === 'insert') {
    const proposed = parseJsonObject(text);
    return proposed && { ...asked, key: {}, proposed, claims: parsed.claims };
  }
  const values = columnsOf(relation, { key }).map((column) => [column, key[column]] as const);
  if (parsed.kind === 'wrong' || !values.every(isGiven)) return undefined;
  return { ...asked, key: Object.fromEntries(values), proposed: {}, claims: parsed.claims };
}

function isGiven(pair: readonly [string, string | undefined]): pair is readonly [string, string] {
  return pair[1] !== undefined;
}

function useExplanation(store: Store, question: RowQuestion | undefined): Answer<RowExplanation> {
  const ask =
    question &&
    (async (signal: AbortSignal) =>
      readAnswer<RowExplanation>(await store.askAccess(ACCESS_PATHS.row, question, signal)));
  return useAnswer(ask, [question]) ?? { kind: 'loading' };
}
