// A notice about a problem that affects the whole page, with advice.
import type { VNode } from 'preact';
import type { ServerError } from '../client/server-error.ts';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { nowSeconds } from '../ui/clock.ts';
import { Notice } from '../ui/notice.tsx';
import { Code } from '../ui/text.tsx';
import { findPageProblem } from './page-problem.ts';
import { type Remedy, PAGE_PROBLEM_TEXTS } from './page-problem-texts.ts';

export interface PageProblemNoticeProps {
  readonly store: Store;
  readonly onOpenToken: () => void;
}

export function PageProblemNotice(props: PageProblemNoticeProps): VNode | null {
  const { schema, exchange, token, isLinkRefused } = props.store;
  const state = {
    schema: schema.value,
    exchange: exchange.value,
    token: token.value,
    isLinkRefused: isLinkRefused.value,
  };
  const problem = findPageProblem({ ...state, nowSeconds: nowSeconds.value });
  if (problem === undefined) return null;
  const { title, hint, remedies } = PAGE_PROBLEM_TEXTS[problem.kind];
  return (
    <div class="shell-problem">
      <Notice
        tone={problem.kind === 'unreachable' ? 'danger' : 'warning'}
        title={title}
        hint={hint}
        action={remedies.map((remedy) => (
          <RemedyButton key={remedy} {...props} remedy={remedy} />
        ))}
      >
        {problem.error === undefined ? null : <ServerWords error={problem.error} />}
      </Notice>
    </div>
  );
}

function ServerWords({ error: { code, message, details, hint } }: { readonly error: ServerError }): VNode | null {
  if (message === undefined) return null;
  return (
    <>
      <p dir="auto">
        {message} {code === undefined ? null : <Code>{code}</Code>}
      </p>
      {[details, hint].map((text) => (text === undefined ? null : <p dir="auto">{text}</p>))}
    </>
  );
}

function RemedyButton({ store, onOpenToken, remedy }: PageProblemNoticeProps & { readonly remedy: Remedy }): VNode {
  const again = (): void => {
    store.reload();
    store.run();
  };
  switch (remedy) {
    case 'enterToken':
      return (
        <Button icon="key" onClick={onOpenToken}>
          Enter a token
        </Button>
      );
    case 'removeToken':
      return <Button onClick={() => store.setToken(undefined)}>Continue without a token</Button>;
    case 'tryAgain':
      return (
        <Button icon="refresh" onClick={again}>
          Try again
        </Button>
      );
    case 'defaultSchema':
      return <Button onClick={() => store.go({ kind: 'start' })}>Go to the default schema</Button>;
    case 'dismiss':
      return <Button onClick={() => store.dismissLink()}>Continue without it</Button>;
  }
}
