import { realTime, virtualTime, type VirtualTime } from '@nodewright/runtime';
import type { CliContext } from '../../terminal/context.ts';
import { printCommand, printLine, printLives } from './print.ts';
import { playRolloutStory, releaseThatNeverJoins } from './rollout-story.ts';
import { storyClusterName, createStage, storyStart } from './stage.ts';
import { playStory, type Telling } from './story.ts';
import { createAccessKey } from '../../world/client-credentials.ts';
import { openEndpoints } from '../../world/endpoints.ts';
import { exportAccount, exportLines, withKubeconfig } from '../../world/exports.ts';
import { runAtSpeed } from '../../world/pace.ts';
import { stopSignal } from '../../world/stop-signal.ts';
import type { StoryFlags } from './flags.ts';

type Print = (text: string) => void;

/** What each story plays, what its cluster has beside the usual, and where its reader goes on. */
const stories = {
  upgrade: { play: playStory, traits: {}, readOn: 'The manifests are in\nexamples/upgrade-nodes-with-drift.' },
  rollout: {
    play: playRolloutStory,
    traits: { releases: [releaseThatNeverJoins] },
    readOn: 'How to write such a\npolicy, and to watch, halt and take back a rollout, is in docs/rollouts.md.',
  },
} as const;

export async function runStory(this: CliContext, flags: StoryFlags): Promise<void> {
  const print: Print = (text) => this.process.stdout.write(`${text}\n`);
  if (flags.output === 'json') return tellAsObject(flags, print);
  if (flags.exit || !process.stdout.isTTY) return tellLive(flags, print);
  return tellAndStay(flags, print);
}

async function tellAsObject({ seed, story }: StoryFlags, print: Print): Promise<void> {
  const time = virtualTime(storyStart);
  const { stage } = await createStage(time, { seed, ...stories[story].traits });
  const nodes = await time.finish(stories[story].play(stage, { command: () => undefined, line: () => undefined }));
  print(JSON.stringify({ apiVersion: 'nodewright.dev/v1alpha1', kind: 'Story', nodes, seconds: secondsOf(time) }));
}

async function tellLive({ seed, speed, story }: StoryFlags, print: Print): Promise<void> {
  const time = virtualTime(storyStart);
  const { stage } = await createStage(time, { seed, ...stories[story].traits });
  print(opening(speed));
  const lives = await runAtSpeed(time, speed, stories[story].play(stage, telling(print)));
  print(printEnding(printLives(lives), time));
  print(`${byHand} ${stories[story].readOn}`);
}

/** In a terminal the cluster stays up after the story, to be looked at, until it is interrupted. */
async function tellAndStay({ seed, speed, story }: StoryFlags, print: Print): Promise<void> {
  const stopped = stopSignal();
  const time = virtualTime(storyStart);
  const listeners = await openEndpoints();
  try {
    const accessKey = createAccessKey();
    const outside = { endpoints: listeners.endpoints, accessKey, signersClock: realTime().clock };
    const { stage, world } = await createStage(time, { seed, ...stories[story].traits, outside });
    listeners.serve({ world });
    print(opening(speed));
    const played = stories[story].play(stage, telling(print));
    const lives = await Promise.race([runAtSpeed(time, speed, Promise.race([played, stopped])), stopped]);
    if (lives === undefined) return;
    print(printEnding(printLives(lives), time));
    await withKubeconfig(listeners.kubeconfig(storyClusterName), async (kubeconfig) => {
      const account = exportAccount({ aws: listeners.urls.aws, region: 'us-east-1', accessKey });
      print(printLookHint(exportLines({ ...account, CLUSTER_NAME: storyClusterName, KUBECONFIG: kubeconfig })));
      await runAtSpeed(time, 1, stopped);
    });
  } finally {
    await listeners.close();
  }
}

const telling = (print: Print): Telling => ({
  command: (at, text) => print(printCommand(at, text)),
  line: (line) => print(printLine(line)),
});

const secondsOf = (time: VirtualTime): number => (time.clock.now() - storyStart) / 1000;

const opening = (speed: number): string =>
  `An embedded EKS at Kubernetes 1.28, with the operator inside; ${speed} seconds pass in one. Times are the cluster's.`;

const printEnding = (table: string, time: VirtualTime): string =>
  `\n${table}\n\nThat was ${Math.round(secondsOf(time) / 60)} minutes of a cluster's life.`;

const byHand = `To do it by hand:

  node_modules/.bin/nodewright sandbox --kubernetes-version 1.28 --speed 60

It prints the exports for a shell; then kubectl and aws work as on EKS.`;

const printLookHint = (exports: string): string => `
The cluster stays up until Ctrl-C. To look at it, in another shell:

${exports.replaceAll(/^/gm, '  ').trimEnd()}
  kubectl get nodes,nodeclaims,nodepools,ec2nodeclasses

${byHand}`;
