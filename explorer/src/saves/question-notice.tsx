// A question about a save. Only a tab with the key of `rowhouse dev` can answer it; the terminal asks the same.
import { useState } from 'preact/hooks';
import type { ComponentChildren, VNode } from 'preact';
import { DEV_PATHS, type SaveAnswer, type SaveQuestion } from '../../../src/contract/dev-news.ts';
import type { Exchange } from '../client/exchange.ts';
import { readServerError } from '../client/server-error.ts';
import type { Store } from '../store/store.ts';
import { Button } from '../ui/button.tsx';
import { findNoticeSlot } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { showToast } from '../ui/toast.tsx';

interface QuestionNoticeProps {
  readonly store: Store;
  readonly id: string;
  readonly question: SaveQuestion;
}

export function QuestionNotice({ store, id, question }: QuestionNoticeProps): VNode {
  const action = store.signingKey.value === undefined ? undefined : <Answers {...{ store, id, question }} />;
  const advice = action === undefined ? ' Answer in the terminal, or open the link that rowhouse dev printed.' : '';
  if (question.kind === 'rename') {
    const { what, to } = question;
    return (
      <Notice
        tone="warning"
        title={
          <>
            Was the <bdi>{what}</bdi> renamed to <bdi>{to}</bdi>?
          </>
        }
        hint={`The save waits for the answer.${advice}`}
        action={action}
      />
    );
  }
  return (
    <Notice
      tone="danger"
      title="The last save would lose data."
      hint={`Nothing of it is applied before you answer.${advice}`}
      action={action}
    >
      <ul>
        {question.losses.map((loss) => (
          <li key={loss}>
            <bdi>{loss}</bdi>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Leads back to a question that was answered with no. */
export function AskAgain({ store }: Pick<QuestionNoticeProps, 'store'>): VNode | null {
  const [isSending, setSending] = useState(false);
  if (store.signingKey.value === undefined) return null;
  const ask = async (): Promise<void> => {
    setSending(true);
    const refusal = refusalOf(await store.askAccess(DEV_PATHS.ask, {}));
    if (refusal !== undefined) showToast(refusal, 'danger');
    setSending(false);
  };
  return (
    <Button size="small" disabled={isSending} onClick={() => void ask()}>
      Ask again
    </Button>
  );
}

function Answers({ store, id, question }: QuestionNoticeProps): VNode {
  const [isSending, setSending] = useState(false);
  const give = async (answer: boolean): Promise<void> => {
    setSending(true);
    const given: SaveAnswer = { id, answer };
    const refusal = refusalOf(await store.askAccess(DEV_PATHS.answer, given));
    if (refusal === undefined) (findNoticeSlot()?.closest('dialog') ?? document.getElementById('main'))?.focus();
    else showToast(refusal, 'danger');
    setSending(false);
  };
  const button = (answer: boolean, text: ComponentChildren, variant?: 'primary' | 'danger'): VNode => (
    <Button size="small" {...{ variant }} disabled={isSending} onClick={() => void give(answer)}>
      {text}
    </Button>
  );
  return question.kind === 'rename' ? (
    <>
      {button(true, 'Yes, rename it', 'primary')}
      {button(false, 'No')}
    </>
  ) : (
    <>
      {button(false, 'Keep the data')}
      {button(true, 'Apply and lose it', 'danger')}
    </>
  );
}

function refusalOf(exchange: Exchange): string | undefined {
  if (exchange.kind !== 'answered') return 'The server does not respond.';
  const { status, text } = exchange.response;
  return status === 200 || status === 204
    ? undefined
    : (readServerError(text).message ?? `The server returned status ${status}.`);
}
