import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readScenarios, type ScenarioFile } from '@nodewright/scenario-files';
import { InputError } from '../../terminal/exit-status.ts';
import { findPlays, type PlayFlags, type ScenarioPlay } from './find-plays.ts';

/**
 * Files and folders whose changes matter: those of the command line, and the manifests that their scenarios name.
 * @throws InputError when manifests come from standard input
 */
export function listWatchedPaths(paths: readonly string[], flags: PlayFlags): readonly string[] {
  const plays = playsNow(paths, flags);
  if (plays.some(({ readsInput }) => readsInput))
    throw new InputError('--watch needs manifests in files; standard input can be read only once');
  const files = [...new Set(plays.map(({ file }) => file))];
  return [...paths, ...files.flatMap((file) => readScenarios(file, readFileSync(file, 'utf8'))).flatMap(listManifests)];
}

/** A file with mistakes has no plays until it is corrected. */
function playsNow(paths: readonly string[], flags: PlayFlags): readonly ScenarioPlay[] {
  try {
    return findPlays(paths, flags);
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}

const listManifests = ({ file, given, steps, cases }: ScenarioFile): readonly string[] =>
  [{ given, steps }, ...cases]
    .flatMap((part) => [...part.given, ...part.steps.flatMap((step) => (step.do === 'apply' ? step.paths : []))])
    .map(({ path }) => resolve(dirname(file), path));
