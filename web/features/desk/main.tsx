import '../../lib/without-eval.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { createQueryClient } from '../../lib/query-client.ts';
import './desk.css';
import { deskHome } from '../../../core/desk-paths.ts';
import { DeskApp } from './desk-app.tsx';

const container = document.getElementById('root');
if (container) {
  createRoot(container).render(
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>
        <BrowserRouter basename={deskHome}>
          <DeskApp />
        </BrowserRouter>
      </QueryClientProvider>
    </StrictMode>,
  );
}
