import { render } from 'preact';
import { PageApp } from './page-app.tsx';

const root = document.getElementById('app');
if (root !== null) render(<PageApp />, root);
