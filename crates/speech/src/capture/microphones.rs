//! Which microphones there are. On Linux the sound server is asked (PulseAudio, or PipeWire in its place) and
//! ALSA only where there is none, since ALSA names plug-ins rather than microphones.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use cpal::traits::{DeviceTrait, HostTrait};
use cpal::{Device, DeviceId, Host, HostId};

use super::trouble::on_opening;
use crate::{Error, Result};

/// How long a system may take to list its devices.
const LISTING: Duration = Duration::from_secs(5);

/// A device that sound can be taken from.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Microphone {
    /// Stays the same after a restart, as far as the system allows.
    pub id: String,
    /// As the system calls it.
    pub name: String,
    /// The system's choice at present.
    pub default: bool,
    /// Not a microphone but what the computer itself plays.
    pub monitor: bool,
}

/// The system's microphones. It keeps a connection to the sound server where there is one, and no stream.
/// Clones share it.
#[derive(Clone, Default)]
pub struct Microphones {
    /// Kept, because each connection of the sound library costs a thread that it never ends. Replaced when the
    /// server was restarted. A mutex, since any thread may ask.
    server: Arc<Mutex<Option<Arc<Host>>>>,
}

impl Microphones {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// All that can be recorded from, the system's choice first. Opens none of them.
    ///
    /// # Errors
    /// The sound system does not answer. That there are none is no error: the list is empty.
    pub fn list(&self) -> Result<Vec<Microphone>> {
        let this = self.clone();
        let (send, receive) = std::sync::mpsc::sync_channel(1);
        std::thread::Builder::new()
            .name("microphones".to_owned())
            .spawn(move || {
                let _ = send.send(this.list_here());
            })
            .map_err(|error| Error::Microphone(error.to_string()))?;
        match receive.recv_timeout(LISTING) {
            Ok(list) => list,
            Err(_) => {
                self.forget();
                Err(Error::NoSoundSystem)
            }
        }
    }

    fn list_here(&self) -> Result<Vec<Microphone>> {
        quiet();
        let host = self.host()?;
        let chosen = host.default_input_device().and_then(|device| device.id().ok());
        let mut list: Vec<Microphone> = host
            .devices()
            .map_err(|error| on_opening(&error))?
            .filter_map(|device| describe(&device, chosen.as_ref()))
            .collect();
        if host.id().to_string() == "alsa"
            && let Some(device) = host.default_input_device()
            && device.default_input_config().is_ok()
            && !list.iter().any(|microphone| microphone.default)
        {
            list.extend(describe_as(&device, true, false));
        }
        list.sort_by_key(|microphone| (!microphone.default, microphone.monitor));
        Ok(list)
    }

    /// The sound server where there is one, else the system's own interface.
    fn host(&self) -> Result<Arc<Host>> {
        let Some(server) = "pulseaudio".parse::<HostId>().ok() else {
            return Ok(Arc::new(cpal::default_host()));
        };
        let kept = self.server.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(host) = kept {
            if host.devices().is_ok() {
                return Ok(host);
            }
            self.forget();
        }
        if let Ok(host) = cpal::host_from_id(server) {
            let host = Arc::new(host);
            let mut kept = self.server.lock().unwrap_or_else(PoisonError::into_inner);
            *kept = Some(host.clone());
            return Ok(host);
        }
        alsa_host()
    }

    fn forget(&self) {
        *self.server.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The named device, or the system's choice and true where that is gone. None named: the system's choice.
    pub(super) fn find(&self, name: Option<&str>) -> Result<(Device, Microphone, bool)> {
        quiet();
        let host = self.host()?;
        let named = name.and_then(|name| {
            let id: DeviceId = name.parse().ok()?;
            let other =
                if id.host() == host.id() { None } else { cpal::host_from_id(id.host()).ok() };
            let host = other.as_ref().unwrap_or(&host);
            // ALSA's default is not always in its own list.
            match host.default_input_device().filter(|device| device.id().as_ref() == Ok(&id)) {
                Some(device) => Some((device, true)),
                None => Some((host.device_by_id(&id)?, false)),
            }
        });
        if let Some((device, default)) = named
            && let Some(microphone) = describe_as(&device, default, is_monitor(&device))
        {
            return Ok((device, microphone, false));
        }
        let device = host.default_input_device().ok_or(Error::NoMicrophone)?;
        let microphone =
            describe_as(&device, true, is_monitor(&device)).ok_or(Error::NoMicrophone)?;
        // The server's stand-in where it has no device at all.
        if microphone.id.ends_with(":auto_null.monitor") {
            return Err(Error::NoMicrophone);
        }
        Ok((device, microphone, name.is_some()))
    }
}

fn alsa_host() -> Result<Arc<Host>> {
    let alsa = "alsa".parse::<HostId>().map_err(|_| Error::NoSoundSystem)?;
    cpal::host_from_id(alsa).map(Arc::new).map_err(|error| on_opening(&error))
}

/// None for what cannot be recorded from, or is no device.
fn describe(device: &Device, chosen: Option<&DeviceId>) -> Option<Microphone> {
    let id = device.id().ok()?;
    let monitor = is_monitor(device);
    let listed = match id.host().to_string().as_str() {
        // Of ALSA's many names for one device, the one with all conversions.
        "alsa" => id.id().starts_with("plughw:CARD=") && device.supports_input(),
        "pulseaudio" => device.supports_input() && id.id() != "auto_null.monitor",
        _ => device.supports_input() || monitor,
    };
    listed.then(|| describe_as(device, chosen == Some(&id), monitor)).flatten()
}

fn describe_as(device: &Device, default: bool, monitor: bool) -> Option<Microphone> {
    let id = device.id().ok()?.to_string();
    let name = device.description().map_or_else(|_| id.clone(), |told| told.name().to_owned());
    Some(Microphone { id, name, default, monitor })
}

/// Whether it gives what the computer plays. A sound server has a source for it, named after the sink; Windows
/// and macOS let an output be recorded.
pub(super) fn is_monitor(device: &Device) -> bool {
    if cfg!(any(windows, target_os = "macos")) {
        return !device.supports_input() && device.supports_output();
    }
    device
        .id()
        .is_ok_and(|id| id.host().to_string() == "pulseaudio" && id.id().ends_with(".monitor"))
}

/// ALSA writes each fault on standard error, where only our one sentence belongs; from now on it does not on
/// this thread, which is the microphone's own.
fn quiet() {
    #[cfg(target_os = "linux")]
    let _ = alsa::Output::local_error_handler();
}
