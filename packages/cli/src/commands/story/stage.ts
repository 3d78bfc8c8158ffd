import { instant } from '@nodewright/apis';
import {
  type CallGate,
  inProcessTransport,
  type RequestHandler,
  seededRandom,
  type VirtualTime,
} from '@nodewright/runtime';
import { builtInReleases, mergeReleases, parseReleases } from '@nodewright/aws-endpoints';
import type { SandboxOptions } from '@nodewright/sandbox';
import { createEmbeddedWorld, type EmbeddedWorld } from '../../world/embedded-world.ts';
import type { Stage } from './story.ts';

/** When the story begins: before the releases that it tells of are a week old. */
export const storyStart = instant(Date.parse('2024-01-28T16:00:00Z'));

export const storyClusterName = 'sandbox';

/** What the story's sandbox needs for clients outside. */
type Outside = Pick<SandboxOptions, 'endpoints' | 'accessKey' | 'signersClock'>;

export type StageTraits = {
  readonly seed: number;
  /** Releases beside the built-in ones, in the form of a feed file. */
  readonly releases?: readonly object[];
  readonly outside?: Outside;
};

/** A fresh cluster of 1.28 with the operator inside, up and quiet, for the story to play in. */
export async function createStage(
  time: VirtualTime,
  { seed, releases = [], outside }: StageTraits,
): Promise<{ readonly stage: Stage; readonly world: EmbeddedWorld }> {
  const { clock, gate } = time;
  const random = seededRandom(seed);
  const world = await createEmbeddedWorld({
    clock,
    gate,
    random: random.fork('world'),
    clusterName: storyClusterName,
    kubernetesVersion: '1.28',
    region: 'us-east-1',
    zones: ['us-east-1a', 'us-east-1b', 'us-east-1c'],
    releases: mergeReleases(builtInReleases(), parseReleases(releases)),
    controller: true,
    ...outside,
  });
  await time.finish(world.start());
  const eks = eksCalls(gate, world.sandbox.aws.handle);
  const stage: Stage = {
    clock,
    client: world.sandbox.admin,
    random: random.fork('spectator'),
    clusterName: storyClusterName,
    releases: (imageId) => world.sandbox.aws.releases.byImage(imageId),
    updateClusterVersion: async (version) =>
      (await eks('POST', `/clusters/${storyClusterName}/updates`, { version })).update.id,
    updateStatus: async (id) => (await eks('GET', `/clusters/${storyClusterName}/updates/${id}`)).update.status,
  };
  return { stage, world };
}

type Updated = { readonly update: { readonly id: string; readonly status: string } };

/** The two EKS calls that a person makes in the story, as the aws command sends them. */
function eksCalls(gate: CallGate, handler: RequestHandler) {
  const transport = inProcessTransport(gate, handler);
  const headers = {
    'content-type': 'application/json',
    authorization:
      'AWS4-HMAC-SHA256 Credential=sandbox/20240128/us-east-1/eks/aws4_request, SignedHeaders=host, Signature=0',
  };
  return (method: string, path: string, body?: unknown): Promise<Updated> =>
    gate.call(async (ticket) => {
      const request = { method, path, headers, body: Buffer.from(body === undefined ? '' : JSON.stringify(body)) };
      const answer = await transport.send(request, { ticket });
      const text = answer.body instanceof Uint8Array ? Buffer.from(answer.body).toString('utf8') : '';
      if (answer.status !== 200) throw new Error(`${method} ${path} was refused with ${answer.status}: ${text}`);
      return JSON.parse(text) as Updated;
    });
}
