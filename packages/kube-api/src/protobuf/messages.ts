import { readOwn } from '@nodewright/apis';
import { messagesJson } from './messages.generated.ts';

/** The form of a field in JSON: a single value, a list, a map, or members of its parent. */
export type FieldShape = 'list' | 'map' | 'inline';

export type MessageField = readonly [number: number, name: string, type: string, shape?: FieldShape];

type MessageTable = {
  /** Message names by `group/version/kind`. */
  readonly kinds: Readonly<Record<string, string>>;
  readonly messages: Readonly<Record<string, readonly MessageField[]>>;
};

let loadedTable: MessageTable | undefined;
const messageTable = (): MessageTable => (loadedTable ??= JSON.parse(messagesJson) as MessageTable);

/** The protobuf message of a kind. Delete options use the same message in every group. */
export function findMessage(apiVersion: string, kind: string): string | undefined {
  const key = apiVersion.includes('/') ? `${apiVersion}/${kind}` : `/${apiVersion}/${kind}`;
  return readOwn(messageTable().kinds, kind === 'DeleteOptions' ? '/v1/DeleteOptions' : key);
}

export const messageFields = (message: string): readonly MessageField[] | undefined =>
  readOwn(messageTable().messages, message);
