import { useContext, useState } from 'preact/hooks';
import { tellServer } from '../live/ask-server.ts';
import { testingContext } from '../parts/page-context.ts';

type TestProps = { readonly policy: string; readonly receiver: string; readonly words: string };

type TestStep =
  | { readonly kind: 'idle' | 'asked' | 'sending' }
  | { readonly kind: 'answered'; readonly words: string; readonly isTaken: boolean };

/** Sends a message by which a person tries a receiver, after a second click. Who may not change the policy has no button. */
export function TestButton({ policy, receiver, words }: TestProps) {
  const mayTest = useContext(testingContext);
  const [step, setStep] = useState<TestStep>({ kind: 'idle' });
  if (!mayTest) return null;
  const send = (): void => {
    setStep({ kind: 'sending' });
    void sendTest({ policy, receiver }).then(setStep);
  };
  return (
    <span class="test">
      {step.kind === 'asked' ? (
        <>
          <button type="button" onClick={send}>
            Send a message to {words}
          </button>
          <button type="button" onClick={() => setStep({ kind: 'idle' })}>
            Cancel
          </button>
        </>
      ) : (
        <button
          type="button"
          disabled={step.kind === 'sending'}
          onClick={() => setStep({ kind: 'asked' })}
          aria-label={`Test ${words}`}
        >
          Test
        </button>
      )}
      <span aria-live="polite" class={step.kind === 'answered' && !step.isTaken ? 'failed-test' : ''}>
        {step.kind === 'sending' ? 'Sending' : step.kind === 'answered' ? step.words : ''}
      </span>
    </span>
  );
}

type TestAnswer = { readonly isTaken?: boolean; readonly because?: string; readonly error?: string };

async function sendTest(test: { readonly policy: string; readonly receiver: string }): Promise<TestStep> {
  try {
    const response = await tellServer('/api/notifications/test', test);
    const { isTaken = false, because, error } = (await response.json()) as TestAnswer;
    const words = isTaken ? 'The receiver took it' : `Not taken: ${because ?? error ?? `status ${response.status}`}`;
    return { kind: 'answered', isTaken, words };
  } catch {
    return { kind: 'answered', isTaken: false, words: 'Not sent: no connection' };
  }
}
