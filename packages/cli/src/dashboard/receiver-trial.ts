import type { NodeRolloutPolicy, RolloutReceiver } from '@nodewright/apis';
import { receiverKey } from '@nodewright/engine';
import { sendTestMessage } from '@nodewright/operator';
import { type KubernetesClient, realTime, type WebClient } from '@nodewright/runtime';
import type { FeedReading } from './compose-dashboard.ts';

/** What the page asks to be tried: a receiver of a policy, by the id that the page knows. */
export type ReceiverTrial = { readonly policy: string; readonly receiver: string };

/** What came of a test: `because` says why the receiver did not take the message. */
export type ReceiverTrialAnswer = { readonly isTaken: boolean; readonly because?: string };

export type TestingPorts = {
  /** Reads the Secret of a receiver. */
  readonly client: KubernetesClient;
  /** What messages are posted with. */
  readonly web: WebClient;
  readonly clusterName: string;
};

/** Sends a message to a receiver as the policy sets it up; `undefined` where there is no such receiver. */
export async function tryReceiver(
  ports: TestingPorts,
  { reading }: FeedReading,
  test: ReceiverTrial,
  signal: AbortSignal,
): Promise<ReceiverTrialAnswer | undefined> {
  const policy = reading.rolloutObjects.policies.find(({ metadata }) => metadata.name === test.policy);
  const receiver = policy?.spec.notify?.find((each) => receiverKey(each) === test.receiver);
  if (policy === undefined || receiver === undefined) return undefined;
  const because = await sendTo({ policy, receiver }, ports, signal);
  return because === undefined ? { isTaken: true } : { isTaken: false, because };
}

type Addressee = { readonly policy: NodeRolloutPolicy; readonly receiver: RolloutReceiver };

/** The time of a message is that of the person who sends it. */
const sendTo = (to: Addressee, ports: TestingPorts, signal: AbortSignal): Promise<string | undefined> =>
  sendTestMessage(ports, { ...to, now: realTime().clock.now() }, signal).catch((failure: Error) => failure.message);

/** @returns `undefined` for a body that asks for no test */
export function parseReceiverTrial(body: Uint8Array): ReceiverTrial | undefined {
  try {
    const { policy, receiver } = JSON.parse(Buffer.from(body).toString('utf8')) as Partial<ReceiverTrial>;
    return typeof policy === 'string' && typeof receiver === 'string' ? { policy, receiver } : undefined;
  } catch {
    return undefined;
  }
}
