import type { HttpHeaders, ByteConnection } from '@nodewright/runtime';
import { parseSwitch } from '../../http/go-values.ts';
import { badRequestError, internalError } from '../../http/status-error.ts';
import { portForwardProtocol, servePortForward, tunnelProtocol } from '../../streams/port-forward.ts';
import type { CommandOptions } from '../../streams/command-streams.ts';
import { serveCommand } from '../../streams/remote-command.ts';
import { webSocketCommandProtocols } from '../../streams/command-over-web-socket.ts';
import { agreeUpgrade } from '../../streams/upgrade.ts';
import type { RequestOutcome } from '../outcome.ts';
import { findExisting } from '../verbs/get.ts';
import type { ResourceCall, ServerContext } from '../world.ts';
import { watchContainerEnd } from './container-end.ts';
import { type ConnectedPod, containerNameOf, statusOfContainer } from './containers.ts';

/** Runs a command in a container, with its streams over WebSocket or SPDY. */
export function execInPod(world: ServerContext, call: ResourceCall): RequestOutcome {
  const pod = placedPod(world, call);
  const { query } = call.info;
  const container = containerNameOf(pod, query.get('container'));
  const command = query.getAll('command');
  if (command.length === 0) throw badRequestError('you must specify at least 1 command for the container');
  const exec = world.programs.exec;
  const isRunning = statusOfContainer(pod, container)?.state?.running !== undefined;
  if (exec === undefined || !isRunning) throw internalError(`container not found (${JSON.stringify(container)})`);
  const options = commandOptions(query);
  const { protocol, headers } = agreeUpgrade(call.headers, {
    webSocket: webSocketCommandProtocols,
    spdy: ['v4.channel.k8s.io'],
  });
  const { signal } = call;
  return connectionOutcome(headers, (bytes) =>
    serveCommand(bytes, { protocol, options }, (streams) =>
      exec(pod, { container, command, tty: options.tty, signal, ...streams }),
    ),
  );
}

/** Connects a client with the program of a container, until one of them ends. */
export function attachToPod(world: ServerContext, call: ResourceCall): RequestOutcome {
  const pod = placedPod(world, call);
  const { query } = call.info;
  const container = containerNameOf(pod, query.get('container'));
  const { attach } = world.programs;
  const isRunning = statusOfContainer(pod, container)?.state?.running !== undefined;
  if (attach === undefined || !isRunning)
    throw badRequestError(`container ${container} not found in pod ${pod.metadata.name}_${pod.metadata.namespace}`);
  const options = commandOptions(query);
  const { protocol, headers } = agreeUpgrade(call.headers, {
    webSocket: webSocketCommandProtocols,
    spdy: ['v4.channel.k8s.io'],
  });
  return connectionOutcome(headers, (bytes) => {
    const signal = AbortSignal.any([call.signal, watchContainerEnd(world, call, { pod, container })]);
    return serveCommand(bytes, { protocol, options }, (streams) =>
      attach(pod, { container, tty: options.tty, signal, ...streams }),
    );
  });
}

/** Connects a client with ports of a pod. */
export function forwardPodPorts(world: ServerContext, call: ResourceCall): RequestOutcome {
  const pod = placedPod(world, call);
  const { protocol, headers } = agreeUpgrade(call.headers, {
    webSocket: [tunnelProtocol],
    spdy: [portForwardProtocol],
  });
  return connectionOutcome(headers, (bytes) =>
    servePortForward(bytes, protocol, (port) => world.programs.listener?.(pod, port)),
  );
}

const connectionOutcome = (
  headers: HttpHeaders,
  serve: (connection: ByteConnection) => Promise<void>,
): RequestOutcome => ({
  kind: 'connection',
  headers,
  serve,
});

function placedPod(world: ServerContext, call: ResourceCall): ConnectedPod {
  const pod = findExisting(world, call) as ConnectedPod;
  if ((pod.spec?.nodeName ?? '') === '' && pod.status?.phase !== 'Running') {
    throw badRequestError(`pod ${pod.metadata.name} does not have a host assigned`);
  }
  return pod;
}

const commandOptions = (query: URLSearchParams): CommandOptions => ({
  stdin: parseSwitch(query.get('stdin')),
  stdout: parseSwitch(query.get('stdout') ?? 'true'),
  stderr: parseSwitch(query.get('stderr') ?? 'true'),
  tty: parseSwitch(query.get('tty')),
});
