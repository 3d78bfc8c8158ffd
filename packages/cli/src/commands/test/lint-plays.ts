import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { instant } from '@nodewright/apis';
import { readScenarios, type ScenarioFile } from '@nodewright/scenario-files';
import type { CliContext } from '../../terminal/context.ts';
import { tellLintFindings } from '../lint/tell-findings.ts';
import type { ScenarioPlay } from './find-plays.ts';

/** Tells what lint finds in the manifests of plays, once for each cluster that they have. */
export function tellLintOfPlays(context: CliContext, plays: readonly ScenarioPlay[]): void {
  const files = new Set(plays.map(({ file }) => file));
  const scenarios = [...files].flatMap((file) => readScenarios(file, readFileSync(file, 'utf8')));
  const clusters = new Map(scenarios.map((scenario) => [describeGiven(scenario), scenario]));
  for (const scenario of clusters.values()) {
    const { startTime = Date.now(), kubernetesVersion } = scenario.cluster;
    tellLintFindings(context, {
      paths: listGiven(scenario),
      now: instant(startTime),
      ...(kubernetesVersion !== undefined && { kubernetesVersion }),
    });
  }
}

const listGiven = ({ file, given }: ScenarioFile): readonly string[] =>
  given.map(({ path }) => (path === '-' ? path : relative(process.cwd(), resolve(dirname(file), path)) || '.'));

const describeGiven = (scenario: ScenarioFile): string =>
  JSON.stringify([listGiven(scenario), scenario.cluster.kubernetesVersion, scenario.cluster.startTime]);
