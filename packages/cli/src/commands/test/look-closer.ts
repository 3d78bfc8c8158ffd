import { join } from 'node:path';
import { toTimestamp } from '@nodewright/apis';
import { type TestedWorld, printTimeline, type ScenarioResult, titleOfResult } from '@nodewright/scenario-files';
import { writeAnswerFile } from '../../terminal/answer-file.ts';
import { openDataDirectory } from '../../world/data-directory.ts';
import type { SandboxHome } from '../../world/sandbox-home.ts';
import type { ScenarioPlay } from './find-plays.ts';
import type { TestFlags } from './flags.ts';
import { playOne } from './play-one.ts';

export type PlayedTests = {
  readonly plays: readonly ScenarioPlay[];
  readonly results: readonly ScenarioResult[];
  readonly standardInput: string;
};

/**
 * Plays again what the user wants to look at: failures with their clusters kept, and one play with its timeline. A play ends the
 * same way each time.
 * @returns what to tell of it, a line each
 */
export async function lookCloser(
  tests: PlayedTests,
  { keep, open }: Pick<TestFlags, 'keep' | 'open'>,
): Promise<readonly string[]> {
  const failed = failedPlays(tests);
  const lines: string[] = [];
  for (const play of keep === undefined ? [] : failed)
    lines.push(
      play.isOfSnapshot === true
        ? explainUnkept(play)
        : await keepCluster(play, tests.standardInput, failed.length === 1 ? keep : join(keep ?? '', slugOf(play))),
    );
  const shown = failed[0] ?? tests.plays[0];
  if (open !== undefined && shown !== undefined) {
    writeAnswerFile('--open', open, await openTimeline(shown, tests.standardInput));
    lines.push(`timeline of ${shown.title}, seed ${shown.seed}: ${open}`);
  }
  return lines;
}

/** The directory of a sandbox has no place for the releases and prices of a snapshot. */
const explainUnkept = ({ title, seed }: Pick<ScenarioPlay, 'title' | 'seed'>): string =>
  `${title}, seed ${seed}, is not kept: its cluster begins in a snapshot, and a sandbox has other releases and prices; --open FILE draws what happened`;

const failedPlays = ({ plays, results }: PlayedTests): readonly ScenarioPlay[] =>
  plays.filter(({ file, title, seed }) =>
    results.some(
      (result) =>
        result.failure !== undefined && result.file === file && result.seed === seed && titleOfResult(result) === title,
    ),
  );

const slugOf = ({ title, seed }: ScenarioPlay): string =>
  `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${seed}`.replace(/^-/, '');

async function keepCluster(play: ScenarioPlay, standardInput: string, directory = ''): Promise<string> {
  const home = openDataDirectory(directory, { fsync: 'never', warn: (line) => void process.stderr.write(`${line}\n`) });
  if (home.identity !== undefined) {
    home.close();
    return `${directory} holds a sandbox already, and is left as it is`;
  }
  let end = '';
  try {
    await playOne(play, standardInput, {
      ledger: (now) => home.ledger(now, { onProblem: () => undefined }),
      atEnd: (world) => {
        end = toTimestamp(world.time.clock.now());
        home.remember(identityOf(world, play.seed));
      },
    });
  } finally {
    home.close();
  }
  return `the cluster at that instant: nodewright sandbox --data-dir ${directory} --start-time ${end}`;
}

/** What a sandbox that opens the directory has to know. Ports and keys are made by its first start. */
function identityOf({ settings }: TestedWorld, seed: number): Parameters<SandboxHome['remember']>[0] {
  const { clusterName, region, zones, catalogue, releasesUntil } = settings;
  return {
    clusterName,
    region,
    zones,
    seed,
    starts: 1,
    ports: { kubernetes: 0, aws: 0, control: 0 },
    catalogue,
    ...(releasesUntil !== undefined && { releasesUntil: toTimestamp(releasesUntil) }),
  };
}

async function openTimeline(play: ScenarioPlay, standardInput: string): Promise<string> {
  let page = '';
  const atEnd = (world: TestedWorld): void => {
    page = printTimeline(world, play);
  };
  await playOne(play, standardInput, { atEnd });
  return page;
}
