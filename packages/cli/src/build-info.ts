import type { Metrics } from '@nodewright/runtime';
import { builtFrom, version } from './build.ts';

/** Which build this is, as Karpenter tells it: `karpenter_build_info`. The runtime is Node, under the label that is there for Go. */
export function tellBuild(metrics: Metrics): void {
  const info = metrics.gauge({
    name: 'karpenter_build_info',
    help: 'Always 1; which build this is stands in the labels',
    labels: ['version', 'goversion', 'goarch', 'commit'],
  });
  const { commit = '' } = builtFrom();
  info.set({ version, goversion: `node ${process.version}`, goarch: process.arch, commit }, 1);
}
