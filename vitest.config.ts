import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const resolve = { conditions: ['source'] };
const ssr = { resolve: { conditions: ['source'] } };

/** In continuous integration the totals are also left in a file, for the closing line. */
const reporters =
  process.env['CI'] === undefined ? ['default'] : ['default', ['json', { outputFile: 'test-results.json' }]];

/**
 * A test ends by an event, never by the time it took: these limits only keep a test that hangs from hanging for ever. They
 * are long, because the machine may be slow and busy with other work.
 */
const safetyNet = { testTimeout: 1_200_000, hookTimeout: 1_200_000 };

const processes = ['packages/*/src/**/*.process.test.ts', 'scenarios/**/*.process.test.ts'];

/** Tests that live through hours of a cluster, or through thousands of random cases: most of the processor time. */
const stories = [
  'scenarios/**/*.test.ts',
  'architecture/unsafe-keys.test.ts',
  'packages/*/src/**/*.laws.test.ts',
  'packages/*/src/**/node-manager/**/*.test.ts',
  'packages/aws-endpoints/src/autoscaling/refresh/*.test.ts',
  'packages/cli/src/commands/account-commands.test.ts',
  'packages/cli/src/commands/manifests/{apply-manifests,charts}.test.ts',
  'packages/cli/src/controller/conversion/keep-certificates.test.ts',
  'packages/cli/src/commands/pause/pause-commands.test.ts',
  'packages/cli/src/world/state/state-file.test.ts',
  'packages/cluster-sim/src/kubelets/{kept-status,kubelets}.test.ts',
  'packages/cluster-sim/src/{volumes,workloads}/**/*.test.ts',
  'packages/engine/src/rollouts/plan.test.ts',
  'packages/forecast/src/{group-updates,one-cluster,redact/redact-snapshot}.test.ts',
  'packages/kube-api/src/{inherited-words,limits,recordings}.test.ts',
  'packages/nodegroups/src/host-death.test.ts',
  'packages/operator/src/operator.test.ts',
  'packages/operator/src/controllers/{capacity-buffer,capacity-reservation,garbage-collection,interruption}/*.test.ts',
  'packages/operator/src/controllers/{node-group,node-overlay,node-rollout,static-capacity}/*.test.ts',
  'packages/operator/src/controllers/{rollout-check,rollout-notification,rollout-promotion}/*.test.ts',
  'packages/operator/src/controllers/disruption/{consolidation,emptiness}.test.ts',
  'packages/operator/src/controllers/node-claim/{images-that-never-join,registration-outcome}.test.ts',
  'packages/operator/src/controllers/node-repair/reconciler.test.ts',
  'packages/operator/src/controllers/provisioning/{futile-launches,late-launches,pods-in-flight}.test.ts',
  'packages/operator/src/controllers/provisioning/{repeated-reports,rounds}.test.ts',
  'packages/operator/src/controllers/termination/forged-node.test.ts',
  'packages/provider-aws/src/{auto-scaling,found/images}/*.test.ts',
  'packages/provider-aws/src/calls/call-table.test.ts',
  'packages/provider-aws/src/{cloud,cloud-contract,validation/validate}.test.ts',
  'packages/provider-aws/src/launch/many-launches.test.ts',
  'packages/sandbox/src/hostile-input.test.ts',
  'packages/scenario-files/src/{fuzz,playing}/*.test.ts',
];

/** The groups that hold the longest files come first, so that no worker is left alone with one at the end. */
const groups = ['process', 'story', 'unit'];

const rankOf = ({ moduleId, project }: TestSpecification): number =>
  moduleId.includes('/kills-') ? -1 : groups.indexOf(project.name);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

/** What is watched or cached is frozen in tests, so that a change in place throws. See ADR 7. */
const setupFiles = ['packages/testkit/src/freezing/setup.ts'];

/** Worlds of one process on virtual time share nothing but the modules, which one worker loads once. */
const inThreads = { pool: 'threads', isolate: false, setupFiles, ...safetyNet } as const;

export default defineConfig({
  test: {
    reporters: reporters as ['default'],
    // Tests with processes of their own wait for them half of their time: one worker more keeps the processors busy.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'unit',
          include: ['{packages/*/src,architecture,bench,scripts}/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...processes, ...stories],
          ...inThreads,
        },
      },
      {
        resolve,
        ssr,
        test: { name: 'story', include: stories, exclude: ['**/node_modules/**', ...processes], ...inThreads },
      },
      {
        resolve,
        ssr,
        test: { name: 'process', include: processes, pool: 'forks', isolate: false, setupFiles, ...safetyNet },
      },
    ],
  },
});
