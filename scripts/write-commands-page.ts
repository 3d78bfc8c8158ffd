/** Writes `docs/commands.md` from the commands. A test holds it equal. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listCommands } from './commands-page/list-commands.ts';
import { printCommandsPage } from './commands-page/print-commands-page.ts';

writeFileSync(join(import.meta.dirname, '../docs/commands.md'), printCommandsPage(listCommands()));
