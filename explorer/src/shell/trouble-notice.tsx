// A notice about a problem that affects the whole page, with advice.
import type { VNode } from 'preact';
import type { ServerError } from '../client/server-error.ts';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { nowSeconds } from '../ui/clock.ts';
import { Notice } from '../ui/notice.tsx';
import { Code } from '../ui/text.tsx';
import { findTrouble } from './trouble.ts';
import { type Remedy, TROUBLE_WORDS } from './trouble-words.ts';

export interface TroubleNoticeProps {
  readonly store: Store;
  readonly onOpenToken: () => void;
}

export function TroubleNotice(props: TroubleNoticeProps): VNode | null {
  const { schema, exchange, token } = props.store;
  const circumstances = { schema: schema.value, exchange: exchange.value, token: token.value };
  const trouble = findTrouble({ ...circumstances, nowSeconds: nowSeconds.value });
  if (trouble === undefined) return null;
  const { title, hint, remedies } = TROUBLE_WORDS[trouble.kind];
  return (
    <div class="shell-trouble">
      <Notice
        tone={trouble.kind === 'gone' ? 'danger' : 'warning'}
        title={title}
        hint={hint}
        action={remedies.map((remedy) => (
          <RemedyButton key={remedy} {...props} remedy={remedy} />
        ))}
      >
        {trouble.error === undefined ? null : <ServerWords error={trouble.error} />}
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

function RemedyButton({ store, onOpenToken, remedy }: TroubleNoticeProps & { readonly remedy: Remedy }): VNode {
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
  }
}
