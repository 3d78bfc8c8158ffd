import { createApplication } from '../../packages/cli/src/app.ts';
import { mapCommands } from '../../packages/cli/src/help/map-commands.ts';
import type { ListedCommand } from './print-commands-page.ts';

/** Every command of the application, in the order of its help. */
export function listCommands(): readonly ListedCommand[] {
  const { root } = createApplication;
  const listed: ListedCommand[] = [];
  if ('getAllEntries' in root)
    mapCommands(root, (command, path) => {
      listed.push({ path, command });
      return command;
    });
  return listed;
}
