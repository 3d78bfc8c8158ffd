import { minorVersion } from '../controller/minor-version.ts';
import { defaultSettings, type Operator, startOperator } from '@nodewright/operator';
import { createAwsClients, createAwsCloud, inProcessRequestHandler } from '@nodewright/provider-aws';
import { createLogger, createMetrics, inProcessTransport, kubernetesClient } from '@nodewright/runtime';
import { createSandbox, type Sandbox, type SandboxOptions } from '@nodewright/sandbox';

export type EmbeddedWorldOptions = SandboxOptions & {
  /** Whether the operator runs inside. */
  readonly controller: boolean;
  /** Gets the operator's log, line by line. */
  readonly operatorLog?: { write(line: string): void };
};

/** A sandbox, and the operator that works in it through the same wire protocols as on a real cluster. */
export type EmbeddedWorld = {
  readonly sandbox: Sandbox;
  start(): Promise<void>;
  stop(): Promise<void>;
};

export async function createEmbeddedWorld(options: EmbeddedWorldOptions): Promise<EmbeddedWorld> {
  const sandbox = await createSandbox(options);
  let operator: Operator | undefined;
  return {
    sandbox,
    async start() {
      await sandbox.start();
      if (!options.controller) return;
      operator = operatorIn(sandbox, options);
      await operator.ready;
    },
    async stop() {
      await operator?.stop();
      sandbox.stop();
    },
  };
}

const nowhere = { write: () => undefined };

/** Who the operator is to the API server: a service account with the rights of the chart. */
const operatorPeer = { clientCertificate: { commonName: 'karpenter', organizations: ['system:masters'] } };

function operatorIn({ kubernetes, aws }: Sandbox, options: EmbeddedWorldOptions): Operator {
  const { clock, gate, region, clusterName } = options;
  const random = options.random.fork('operator');
  const clients = createAwsClients({ region, requestHandler: inProcessRequestHandler(gate, aws.handle) });
  const client = kubernetesClient({
    transport: inProcessTransport(gate, kubernetes.handle, { peer: operatorPeer }),
    gate,
    userAgent: 'karpenter',
  });
  return startOperator({
    clock,
    random,
    client,
    cloud: createAwsCloud({
      clock,
      gate,
      random: random.fork('cloud'),
      clusterName,
      region,
      clients,
      kubernetesVersion: () => minorVersion(client),
    }),
    log: createLogger({ clock, sink: options.operatorLog ?? nowhere }),
    metrics: createMetrics(),
    settings: defaultSettings,
  });
}
