// Preloaded into every child, which then also ends when the launcher is killed with SIGKILL.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
