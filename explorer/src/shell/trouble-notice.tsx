// What stands in the way of the whole page, and what to do about it.
import type { VNode } from 'preact';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { nowSeconds } from '../ui/clock.ts';
import { Notice } from '../ui/notice.tsx';
import { findTrouble, type Trouble } from './trouble.ts';

export interface TroubleNoticeProps {
  readonly store: Store;
  readonly onOpenToken: () => void;
}

export function TroubleNotice(props: TroubleNoticeProps): VNode | null {
  const { schema, exchange, token } = props.store;
  const circumstances = { schema: schema.value, exchange: exchange.value, token: token.value };
  const trouble = findTrouble({ ...circumstances, nowSeconds: nowSeconds.value });
  if (trouble === undefined) return null;
  return (
    <div class="shell-trouble">
      <TroubleText {...props} trouble={trouble} />
    </div>
  );
}

function TroubleText({ store, onOpenToken, trouble }: TroubleNoticeProps & { readonly trouble: Trouble }): VNode {
  const again = (): void => {
    store.reload();
    store.run();
  };
  const enter = (
    <Button icon="key" onClick={onOpenToken}>
      Enter a token
    </Button>
  );
  const remove = <Button onClick={() => store.setToken(undefined)}>Go on without</Button>;
  const retry = (
    <Button icon="refresh" onClick={again}>
      Try again
    </Button>
  );
  switch (trouble.kind) {
    case 'gone':
      return (
        <Notice
          tone="danger"
          title="The server does not answer."
          hint="See whether it runs and whether this computer can reach it; what you asked is kept in the address."
          action={retry}
        />
      );
    case 'expired':
      return notice({
        title: 'The token has expired.',
        message: trouble.message,
        hint: 'Enter a new one; the request is sent again with it.',
        action: [enter, remove],
      });
    case 'refused':
      return notice({
        title: 'The server does not accept the token.',
        message: trouble.message,
        hint: 'It may be meant for another server, or signed with another key.',
        action: [enter, remove],
      });
    case 'needsToken':
      return notice({
        title: 'This needs a token.',
        message: trouble.message,
        hint: 'Without one you are the anonymous role, which may not do this.',
        action: [enter],
      });
    case 'forbidden':
      return notice({
        title: 'This role may not do that.',
        message: trouble.message,
        hint: 'A token of another role may, or the role needs a grant in the database.',
        action: [enter],
      });
    case 'unknownSchema':
      return notice({
        title: 'The server does not show this schema.',
        message: trouble.message,
        hint: 'See what the default one has.',
        action: [<Button onClick={() => store.go({ kind: 'start' })}>To the default schema</Button>],
      });
    case 'noDescription':
      return notice({
        title: `The schema could not be read: the server answered ${trouble.status}.`,
        message: trouble.message,
        hint: 'If a proxy stands before the server, it must pass on requests for its root path.',
        action: [retry],
      });
  }
}

interface Words {
  readonly title: string;
  readonly message: string;
  readonly hint: string;
  readonly action: readonly VNode[];
}

function notice({ title, message, hint, action }: Words): VNode {
  return (
    <Notice tone="warning" title={title} hint={hint} action={action}>
      {message === '' ? null : <bdi>{message}</bdi>}
    </Notice>
  );
}
