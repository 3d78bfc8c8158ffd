import { join } from 'node:path';
import { virtualTime } from '@nodewright/runtime';
import type { AwsCall } from '@nodewright/aws-endpoints';
import { describe, expect, test } from 'vitest';
import { printCommand, printLine, printLives } from '../packages/cli/src/commands/story/print.ts';
import { createStage, storyStart } from '../packages/cli/src/commands/story/stage.ts';
import { playStory } from '../packages/cli/src/commands/story/story.ts';

const golden = join(import.meta.dirname, 'upgrade-nodes-with-drift.golden.txt');

const changes = ({ operation, input }: AwsCall): boolean =>
  !/^(Describe|Get|List)/.test(operation) && (input as { DryRun?: boolean }).DryRun !== true;

/** Plays the walkthrough on virtual time and writes down what was seen, and every AWS call that changed something. */
async function played(seed: number) {
  const time = virtualTime(storyStart);
  const { stage, world } = await createStage(time, { seed });
  const lines: string[] = [];
  const lives = await time.finish(
    playStory(stage, {
      command: (at, text) => lines.push(printCommand(at, text)),
      line: (line) => lines.push(printLine(line)),
    }),
  );
  const calls = world.sandbox.aws.calls().filter(changes);
  await time.finish(world.stop());
  return { transcript: `${lines.join('\n')}\n\n${printLives(lives)}\n`, lives, calls };
}

describe('a node follows the control plane and its node class', () => {
  test('reads as the transcript says', async () => {
    const { transcript } = await played(1);
    await expect(transcript).toMatchFileSnapshot(golden);
  });

  test('is the same to the byte for the same seed, and another story for another', async () => {
    const [first, again, other] = [await played(7), await played(7), await played(8)];
    expect(again).toEqual(first);
    expect(other.transcript).not.toBe(first.transcript);
  });

  test('launches each replacement before the old node goes, and never more than one', async () => {
    const { lives, calls } = await played(1);
    expect(lives.map(({ release, kubeletVersion }) => [release, kubeletVersion])).toEqual([
      ['AL2 v20240117', 'v1.28.5-eks-5e0fdde'],
      ['AL2 v20240117', 'v1.29.0-eks-5e0fdde'],
      ['Bottlerocket 1.18.0', 'v1.29.0-eks-a5ec690'],
    ]);
    expect(lives.map(({ wentBecause }) => wentBecause)).toEqual([
      'Drifted: AMIDrift',
      'Drifted: NodePoolDrifted',
      undefined,
    ]);
    for (const [at, life] of lives.entries()) {
      const next = lives[at + 1];
      if (next !== undefined) expect(next.createdAt < (life.removedAt ?? '')).toBe(true);
    }
    const fleet = calls
      .map(({ operation }) => operation)
      .filter((name) => /Fleet|RunInstances|TerminateInstances/.test(name));
    expect(fleet).toEqual(['CreateFleet', 'CreateFleet', 'TerminateInstances', 'CreateFleet', 'TerminateInstances']);
  });
});
