import type { ByteConnection } from '@nodewright/runtime';
import { ByteChannel } from './byte-channel.ts';
import type { CommandStreams } from './command-streams.ts';
import { WebSocketMessages } from './websocket/web-socket.ts';

/** The first byte of each message. */
const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

/** The subprotocols of commands that are spoken, the newest first. */
export const webSocketCommandProtocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

/** The streams of a command as channels of one WebSocket. */
export function commandOverWebSocket(connection: ByteConnection): CommandStreams {
  const socket = new WebSocketMessages(connection);
  const input = new ByteChannel();
  const send = (channel: number, bytes: Uint8Array): void =>
    socket.send(Buffer.concat([Buffer.from([channel]), bytes]));
  void readChannels(socket, input);
  // Clients wait for the first message of a channel.
  send(channels.stdout, new Uint8Array());
  return {
    input,
    write: (to, bytes) => send(channels[to], bytes),
    finish(status) {
      send(channels.error, status);
      socket.close();
    },
  };
}

async function readChannels(socket: WebSocketMessages, input: ByteChannel): Promise<void> {
  try {
    for await (const message of socket.messages()) {
      if (message[0] === channels.stdin) input.push(message.subarray(1));
      if (message[0] === channels.close && message[1] === channels.stdin) input.end();
    }
  } catch {
    socket.close();
  }
  input.end();
}
