import './index.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Frame } from './frame/Frame.tsx'
import { NotFound } from './frame/NotFound.tsx'
import { queryClient } from './trpc.ts'
import { Welcome } from './welcome/Welcome.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Frame>{location.pathname === '/' ? <Welcome /> : <NotFound />}</Frame>
    </QueryClientProvider>
  </StrictMode>,
)
