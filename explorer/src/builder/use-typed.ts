// Commits typed text after a pause, on Enter and on blur. The first commit after the input got the focus adds a history
// entry, later ones replace it.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { HistoryStep } from './level.ts';

const PAUSE_MS = 450;

export interface TypedText {
  readonly value: string;
  readonly onValue: (text: string) => void;
  readonly onBlur: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

export function useTyped(value: string, onCommit: (text: string, step: HistoryStep) => void): TypedText {
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hasStep = useRef(false);
  const latest = useRef({ value, onCommit });
  latest.current = { value, onCommit };
  useEffect(() => () => clearTimeout(timer.current), []);
  const commit = (text: string): void => {
    clearTimeout(timer.current);
    if (text === latest.current.value) return;
    latest.current.onCommit(text, hasStep.current ? 'replace' : 'push');
    hasStep.current = true;
  };
  return {
    value: typed ?? value,
    onValue: (text) => {
      setTyped(text);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => commit(text), PAUSE_MS);
    },
    onBlur: () => {
      if (typed !== undefined) commit(typed);
      setTyped(undefined);
      hasStep.current = false;
    },
    onKeyDown: ({ key }) => {
      if (key === 'Enter' && typed !== undefined) commit(typed);
    },
  };
}
