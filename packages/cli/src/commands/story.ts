import { instant } from '@nodewright/apis';
import { virtualTime } from '@nodewright/runtime';
import type { Context } from '../context.ts';
import { printCommand, printLine, printLives } from '../story/print.ts';
import { playStory, type Telling } from '../story/story.ts';
import { stageOf, storyStart } from '../story/stage.ts';
import { paced } from '../world/pace.ts';
import type { StoryFlags } from './story-flags.ts';

const silent: Telling = { command: () => undefined, line: () => undefined };

export async function runStory(this: Context, flags: StoryFlags): Promise<void> {
  const print = (text: string): void => this.process.stdout.write(`${text}\n`);
  const live: Telling = {
    command: (at, text) => print(printCommand(at, text)),
    line: (line) => print(printLine(line)),
  };
  const time = virtualTime(instant(storyStart));
  const world = await stageOf(time, flags.seed);
  if (flags.output !== 'json') print(opening(flags.speed));
  const play = playStory(world.stage, flags.output === 'json' ? silent : live);
  const lives = await (flags.output === 'json' ? time.finish(play) : paced(time, flags.speed, play));
  const seconds = (time.clock.now() - storyStart) / 1000;
  if (flags.output === 'json')
    print(JSON.stringify({ apiVersion: 'nodewright.dev/v1alpha1', kind: 'Story', nodes: lives, seconds }));
  else print(ending(printLives(lives), seconds));
}

const opening = (speed: number): string =>
  `An embedded EKS at Kubernetes 1.28, with the operator inside; ${speed} seconds pass in one. Times are the cluster's.`;

const ending = (table: string, seconds: number): string => `
${table}

That was ${Math.round(seconds / 60)} minutes of a cluster's life. To do it by hand:

  node_modules/.bin/nodewright sandbox --kubernetes-version 1.28 --speed 60

It prints the exports for a shell; then kubectl and aws work as on EKS. The manifests are in
examples/upgrade-nodes-with-drift.`;
