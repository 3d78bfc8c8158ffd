import type { EC2NodeClass, NodeClaim } from '@nodewright/apis';
import { type Cloud, CloudError, type LaunchRequest } from '@nodewright/ports';
import { describe, expect, test } from 'vitest';

/** A cloud in an account without instances, groups and messages. */
export type CloudUnderTest = {
  readonly cloud: Cloud;
  /** Of the cloud's cluster, with what its controller would find for it. Its zones sell on demand and spot. */
  readonly nodeClass: EC2NodeClass;
  /** Waits for work, and lets time pass meanwhile. */
  readonly finish: <T>(work: Promise<T>) => Promise<T>;
  readonly pass: (ms: number) => Promise<void>;
};

export const neverAborted = new AbortController().signal;
export const abortedBefore = (): AbortSignal => AbortSignal.abort(new Error('no need any more'));

/** A claim that anything suits. */
export const aClaimNamed = (name: string, requirements: NodeClaim['spec']['requirements'] = []): NodeClaim => ({
  metadata: { name, uid: `uid-of-${name}`, labels: { 'karpenter.sh/nodepool': 'default' } },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements },
});

/** The request of the first attempt to launch a claim, with all types and images of the NodeClass. */
export async function launchRequestFor(
  { cloud, nodeClass, finish }: CloudUnderTest,
  claim: NodeClaim,
  attempt = 1,
): Promise<LaunchRequest> {
  const instanceTypes = await finish(cloud.instanceTypes.list(nodeClass, neverAborted));
  return { claim, attempt, nodeClass, instanceTypes, images: nodeClass.status?.amis ?? [] };
}

/** What a call throws; the test fails when it throws nothing. */
export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  const outcome = await work.then(
    () => ({ threw: false, error: undefined }),
    (error: unknown) => ({ threw: true, error }),
  );
  if (!outcome.threw) throw new Error('the call threw nothing');
  return outcome.error;
}

/** The call was given up: its error is not one of the cloud. */
export async function expectAborted(work: Promise<unknown>): Promise<void> {
  const error = await failureOf(work);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(CloudError);
}

type Subjects<Subject> = () => Promise<Subject> | Subject;

/** Facts about a port, each of a subject of its own. */
export function describePort<Subject>(
  title: string,
  createSubject: Subjects<Subject>,
  facts: Readonly<Record<string, (subject: Subject) => Promise<void>>>,
): void {
  describe(title, () => {
    for (const [fact, story] of Object.entries(facts)) test(fact, async () => story(await createSubject()));
  });
}
