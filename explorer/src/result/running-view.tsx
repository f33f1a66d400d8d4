// A request in flight: after a delay, shows the elapsed time and a cancel button.
import { useEffect, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { Button } from '../ui/button.tsx';
import { Spinner } from '../ui/text.tsx';

export interface RunningViewProps {
  /** Time of `performance.now()`. */
  readonly startedAt: number;
  readonly onCancel: () => void;
}

const SHOWN_AFTER_MS = 300;
const STEP_MS = 100;

export function RunningView({ startedAt, onCancel }: RunningViewProps): VNode | null {
  const elapsed = useElapsed(startedAt);
  if (elapsed < SHOWN_AFTER_MS) return null;
  return (
    <div class="ui-row ui-gap-4 result-running" role="status">
      <Spinner label="Request in flight" />
      <span aria-hidden="true">{(elapsed / 1000).toFixed(1)} s</span>
      <Button size="small" icon="stop" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}

function useElapsed(startedAt: number): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return now - startedAt;
}
