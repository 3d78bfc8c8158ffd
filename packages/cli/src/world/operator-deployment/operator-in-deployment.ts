import { controllerRoleName } from '@nodewright/aws-endpoints';
import type { PodLogs, PodPrograms } from '@nodewright/kube-api';
import type { CallGate, Clock, Random, WebClient } from '@nodewright/runtime';
import type { Sandbox } from '@nodewright/sandbox';
import { operatorInside } from '../operator-inside.ts';
import { givenEnvironment, initialEnvironment } from './environment.ts';
import { installOperator } from './install.ts';
import type { OperatorDeploymentName } from './manifests.ts';
import { OperatorPods } from './operator-pods.ts';

export type OperatorInDeploymentOptions = {
  readonly clock: Clock;
  readonly gate: CallGate;
  /** The clock of the Lease, which is about processes. */
  readonly leaseClock: Clock;
  readonly random: Random;
  readonly region: string;
  readonly clusterName: string;
  readonly at: OperatorDeploymentName;
  /** How receivers and checks of people are called. */
  readonly web: WebClient;
  /** Flags and variables that were given at this start. */
  readonly flags: Readonly<Record<string, string | undefined>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** The operator of this process behind a Deployment of the cluster, which has its settings. */
export type OperatorInDeployment = {
  readonly podLogs: PodLogs;
  readonly podListener: NonNullable<PodPrograms['listener']>;
  /** Resolves when the operator works. */
  start(sandbox: Sandbox): Promise<void>;
  stop(): Promise<void>;
};

export function operatorInDeployment(options: OperatorInDeploymentOptions): OperatorInDeployment {
  const { clock, gate, leaseClock, random, region, clusterName, at, web } = options;
  let pods: OperatorPods | undefined;
  return {
    podLogs: (pod, asked) => pods?.log(pod, asked),
    podListener: (pod, port) => pods?.listener(pod, port),
    async start({ admin, clientAs, aws }) {
      const client = clientAs({ commonName: 'karpenter', userAgent: 'karpenter' });
      const initial = initialEnvironment(clusterName);
      const given = givenEnvironment(options.flags, options.environment);
      const roleArn = aws.iam.findRole(controllerRoleName(clusterName))?.arn;
      await installOperator(admin, at, { initial, given, roleArn });
      const start: ConstructorParameters<typeof OperatorPods>[0]['start'] = ({ name, ...run }) =>
        operatorInside({ ...run, clock, gate, region, clusterName, aws, client, web, random: random.fork(name) });
      pods = new OperatorPods({ clock, leaseClock, client: admin, random: random.fork('operator pods'), start }, at);
      await pods.start();
    },
    stop: async () => {
      await pods?.stop();
    },
  };
}
