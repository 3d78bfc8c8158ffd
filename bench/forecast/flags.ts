import { readFlags } from '../../scripts/flags/read-flags.ts';

export function readForecastFlags(argv: readonly string[]) {
  return readFlags(
    { command: 'npm run bench -- forecast', brief: 'Measures what a cluster costs below the wire and on it.' },
    {
      nodes: { value: 'N,N', default: '100,200,1000', brief: 'sizes of clusters' },
      wire: { value: 'N,N', default: '100', brief: 'sizes that are also measured on the wire' },
      pods: { value: 'N', default: '5', brief: 'pods of a node' },
      phases: { value: 'replaced,idle', default: 'replaced,idle', brief: 'what follows the start' },
      policy: { brief: 'a NodeRolloutPolicy that lets twenty nodes more than before be there governs the pool' },
      counts: { brief: 'prints what woke the cluster' },
      json: { value: 'FILE', brief: 'also writes the results there' },
    },
    argv,
  );
}
