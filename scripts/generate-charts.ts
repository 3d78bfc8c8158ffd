/** Writes `charts/nodewright`, `kustomize` and the dashboards of `examples/monitoring`, which the package `manifests` makes. A test holds them equal. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildChartFiles, buildKustomizeFiles, listDashboards } from '@nodewright/manifests';
import packageJson from '../package.json' with { type: 'json' };
import { controllerSettings } from '../packages/cli/src/commands/manifests/setting-catalogue.ts';

const root = join(import.meta.dirname, '..');

function writeFiles(folder: string, files: ReadonlyMap<string, string>): void {
  rmSync(join(root, folder), { recursive: true, force: true });
  for (const [path, text] of files) {
    const file = join(root, folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

writeFiles('charts/nodewright', buildChartFiles(controllerSettings, packageJson.version));
writeFiles('kustomize', buildKustomizeFiles(controllerSettings, packageJson.version));
writeFiles('examples/monitoring/dashboards', listDashboards());
